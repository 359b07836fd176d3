import RecordStackModel

/// The keys of objects whose changes a context has given up while a save was writing them. The objects show their old
/// values again: what is changed of them next is no change of what the save leaves.
struct GivenUpKeys: Sendable {
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
    /// The save that may be writing changes of this context, or may have written them; nil where there is none.
    var saveUnderWay: SaveTicket? {
        tree.saveUnderWay ?? coordinator.inDoubtTicket(of: origin)
    }

    /// The changes of an object are given up. Where a save is writing them, it is not stopped by that.
    func noteGivenUp(_ object: ManagedObject, in table: EntityTable, during save: SaveTicket?) {
        // A save that is not heard of yet may have written the changes.
        guard let save else { return parentView.giveUpOrigins(of: object) }
        if table.givenUp?.isOf(save) != true { table.givenUp = GivenUpKeys(during: save) }
        table.givenUp?.insert(object.keyValue)
    }
}
