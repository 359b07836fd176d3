import RecordStackModel

/// A reader that is taken from the store for the first query. Often there is no query at all.
final class ReaderOnDemand: ForwardingReader {
    private let store: any PersistentStore
    private var reader: (any StoreReader)?
    /// The reader's statistics when it was taken.
    private var before = StoreStatistics()
    private var isInTransaction = false

    init(of store: any PersistentStore) {
        self.store = store
    }

    var statistics: StoreStatistics {
        reader.map { $0.statistics - before } ?? StoreStatistics()
    }

    /// Begins the transaction with the next query.
    func beginTransaction() throws { isInTransaction = true }

    func reader(of entity: Int?) throws -> any StoreReader {
        let reader = try self.reader ?? take()
        if isInTransaction { try reader.beginTransaction() }
        isInTransaction = false
        return reader
    }

    func end() { reader?.end() }

    private func take() throws -> any StoreReader {
        let new = try store.reader()
        before = new.statistics
        reader = new
        return new
    }
}
