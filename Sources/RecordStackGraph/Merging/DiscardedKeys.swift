import RecordStackModel

/// The keys of objects whose changes a context has discarded while a save was writing them.
///
/// The objects show their old values again. A later change of them is not a change of the saved
/// value.
struct DiscardedKeys: Sendable {
    private let ticket: SaveTicket
    private var keys: Set<Int64> = []

    init(during ticket: SaveTicket) { self.ticket = ticket }

    func contains(_ key: Int64, writtenBy save: SaveTicket?) -> Bool {
        ticket === save && keys.contains(key)
    }

    func isOf(_ save: SaveTicket) -> Bool { ticket === save }

    mutating func insert(_ key: Int64) { keys.insert(key) }
}

extension ManagedObjectContext {
    /// The running or in-doubt save that may contain this context's changes; nil if none does.
    var saveUnderWay: SaveTicket? {
        tree.saveUnderWay ?? coordinator.inDoubtTicket(of: origin)
    }

    /// Records that an object's changes are discarded. A save that is writing them goes on.
    func noteDiscarded(_ object: ManagedObject, in table: EntityTable, during save: SaveTicket?) {
        // With a save, the changes keep their origins: the save may have written them.
        guard let save else { return parentView.discardOrigins(of: object) }
        if table.discarded?.isOf(save) != true { table.discarded = DiscardedKeys(during: save) }
        table.discarded?.insert(object.keyValue)
    }
}
