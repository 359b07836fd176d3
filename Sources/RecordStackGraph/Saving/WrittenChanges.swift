import RecordStackModel

/// What a save writes of each context's changes, until those have heard of it.
struct WrittenChanges: Sendable {
    /// What each context changed, where more than one did.
    private let levels: [Int: LayerSnapshot]
    /// The cursor of the only context that changed anything.
    private let author: Int?
    private let changes: ChangeSet
    private lazy var authored = WrittenSlots(of: changes)

    init(_ capture: SaveCapture) {
        levels = capture.levels
        author = capture.author
        changes = capture.captured ?? capture.changes
    }

    mutating func contains(_ target: WriteTarget) -> Bool {
        target.isChanged(in: levels)
            || author.map(target.mayBeOf) == true && authored.contains(target)
    }
}

/// The slots that a context has changed, without their values.
struct WrittenSlots: Sendable {
    private var rows: [Int: [Int64: SlotSet]] = [:]

    init(of changes: ChangeSet) {
        for entity in changes.entities {
            var slots: [Int64: SlotSet] = [:]
            slots.reserveCapacity(entity.insertedKeys.count + entity.updates.count)
            let all = SlotSet(all: entity.inserted.width)
            for key in entity.insertedKeys { slots[key] = all }
            for update in entity.updates { slots[update.key] = update.slots }
            rows[entity.entity] = slots
        }
    }

    func contains(_ target: WriteTarget) -> Bool {
        guard let slots = rows[target.entity]?[target.key] else { return false }
        return target.slot.map(slots.contains) ?? true
    }
}

/// An object that contexts may have changed, or one slot of it.
struct WriteTarget {
    let entity: Int
    let key: Int64
    /// Nil for any.
    let slot: Int?
    /// The number of the cursor of the context that has changed it; nil for any.
    let origin: Int?

    func mayBeOf(_ number: Int) -> Bool { origin == nil || origin == number }

    func isChanged(in levels: [Int: LayerSnapshot]) -> Bool {
        if let origin { return levels[origin].map(isChanged) ?? false }
        return levels.values.contains(where: isChanged)
    }

    private func isChanged(in level: LayerSnapshot) -> Bool {
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
                WriteTarget(entity: entity, key: object.keyValue, slot: slot, origin: origin))
    }

    /// Whether such a save writes anything of an object, whichever context of the chain has changed it.
    func isBeingSaved(_ object: ManagedObject, entity: Int) -> Bool {
        isSavedUnheard
            && isBeingSaved(
                WriteTarget(entity: entity, key: object.keyValue, slot: nil, origin: nil))
    }

    /// True if a save that writes the target is running, in doubt, or committed but not yet merged. Checks in this
    /// order: a save reaches the inbox before its ticket is finished or its doubt is resolved.
    private func isBeingSaved(_ target: WriteTarget) -> Bool {
        if tree.mayWrite(target) { return true }
        if coordinator.isInDoubt(target, of: origin) { return true }
        return cursor.owned(by: origin).contains { $0.writes(target) }
            || merger.pendingCommits.contains { $0.isOwn(origin) && $0.writes(target) }
    }
}
