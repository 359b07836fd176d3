import RecordStackModel

/// What a save writes of each context's changes, until those have heard of it.
struct WrittenChanges: Sendable {
    /// What each context changed, where more than one did.
    private let levels: [Int: CapturedLevel]
    /// The inbox of the only context that changed anything.
    private let author: Int?
    private let changes: ChangeSet
    private lazy var all = CapturedLevel(changes: changes)

    init(_ capture: SaveCapture) {
        levels = capture.levels
        author = capture.author
        changes = capture.captured ?? capture.changes
    }

    mutating func contains(_ place: WrittenPlace) -> Bool {
        if let level = levels[place.origin], place.isChanged(in: level) { return true }
        return author == place.origin && place.isChanged(in: all)
    }
}

/// An object that a context may have changed, or one slot of it.
struct WrittenPlace {
    let entity: Int
    let key: Int64
    /// Nil for any.
    let slot: Int?
    /// The number of the context's inbox.
    let origin: Int

    func isChanged(in level: CapturedLevel) -> Bool {
        guard let slot else { return level.hasChanged(entity: entity, key: key) }
        return level.value(entity: entity, key: key, slot: slot) != nil
    }
}

extension ManagedObjectContext {
    /// Whether a save of which this context has not heard writes what was changed here of a slot: what the slot has now
    /// is a change of that, also where it is what the slot had before.
    func isBeingSaved(_ slot: Int, of object: ManagedObject, entity: Int) -> Bool {
        isSavedUnheard
            && isBeingSaved(
                WrittenPlace(entity: entity, key: object.keyValue, slot: slot, origin: origin))
    }

    /// Whether such a save writes anything that was changed here of an object.
    func isBeingSaved(_ object: ManagedObject, entity: Int) -> Bool {
        isSavedUnheard
            && isBeingSaved(
                WrittenPlace(entity: entity, key: object.keyValue, slot: nil, origin: origin))
    }

    /// A save is told of before it ends or is settled, so that is asked in the other order.
    private func isBeingSaved(_ place: WrittenPlace) -> Bool {
        let top = top
        if top.ticketElsewhere?.isWriting(place) == true || top.ticket?.isWriting(place) == true {
            return true
        }
        if var unsettled = coordinator.unsettledChanges(of: origin), unsettled.contains(place) {
            return true
        }
        return inbox.contains { $0.writes(place) } || entriesAhead.contains { $0.writes(place) }
    }
}
