package import FoundationEssentials
package import RecordStackModel
import Synchronization

/// A store in a SQLite file, or in memory.
///
/// A file has one connection that writes and checkpoints, and a pool of connections that read. A
/// store in memory has one connection for everything, behind a lock.
///
/// - Note: `@unchecked Sendable`: `writer` is used by the root's writer alone, one thread at a
///   time, or under `memoryLock`; everything else is immutable or under a lock.
package final class SQLiteStore: PersistentStore, @unchecked Sendable {
    package let uuid: UUID
    let location: SQLiteLocation
    let options: StoreOptions
    let tables: TableMap
    let writer: SQLiteConnection
    /// Held by whoever uses the one connection of a store in memory.
    let memoryLock: StoreLock?
    let pool = Mutex(ReaderPool())
    /// How many pages the log must have to be written back.
    let nextCheckpoint: Atomic<Int>
    private let homes: [ManagedObjectID.Home]

    struct ReaderPool {
        var idle: [SQLiteConnection] = []
        var opened = 1
        var isClosed = false
    }

    /// Opens a store, and makes it where there is none.
    /// - Throws: an error for each way in which a file cannot be the store; nothing is written then.
    package init(at location: SQLiteLocation, model: ManagedObjectModel, options: StoreOptions)
        throws
    {
        let tables = TableMap(model: model)
        let opening = StoreOpening(location: location, tables: tables, options: options)
        try opening.inspect()
        let (writer, uuid) = try opening.open()
        self.location = location
        self.options = options
        self.tables = tables
        self.writer = writer
        self.uuid = uuid
        nextCheckpoint = Atomic(options.checkpointPages)
        let memoryLock = location == .memory ? StoreLock() : nil
        self.memoryLock = memoryLock
        if let memoryLock { writer.onEnd = { _ in memoryLock.unlock() } }
        homes = model.modelEntities.map {
            ManagedObjectID.Home(
                store: uuid, entityName: $0.name, rootName: $0.description.root.name)
        }
    }

    deinit {
        // Closed or not, nothing can fail that somebody could still hear of.
        try? close()
        options.onEnd?()
    }

    func objectID(entity: Int, key: Int64) -> ManagedObjectID {
        ManagedObjectID(home: homes[entity], key: key)
    }

    func checkOpen() throws {
        if pool.withLock({ $0.isClosed }) { throw RecordStackError.closedStore }
    }
}

extension RecordStackError {
    static var closedStore: RecordStackError {
        RecordStackError(.closed, "The stack was closed. Make a new one to go on.")
    }
}

/// Where a store of SQLite's is.
package enum SQLiteLocation: Sendable, Hashable {
    case file(String)
    case memory
}
