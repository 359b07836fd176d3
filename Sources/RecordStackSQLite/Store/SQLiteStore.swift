package import FoundationEssentials
package import RecordStackModel
import Synchronization

/// A store in a SQLite file, or in memory.
///
/// A file has one connection that writes and checkpoints, and a pool of connections that read. A
/// store in memory has one connection for everything, behind a lock.
///
/// - Note: `@unchecked Sendable`: `writer`, `writeStatistics` and `remote` are used by the root's writer alone, one
///   thread at a time, or under `memoryLock`; everything else is immutable or under a lock.
package final class SQLiteStore: PersistentStore, @unchecked Sendable {
    package let uuid: UUID
    let location: SQLiteLocation
    /// The file; nil in memory.
    let file: StoreFile?
    let process = ProcessGuard()
    let options: StoreOptions
    let tables: TableMap
    let writer: SQLiteConnection
    /// Held by whoever uses the one connection of a store in memory.
    let memoryLock: StoreLock?
    let pool = Mutex(ReaderPool())
    /// How many pages the log must have to be written back.
    let nextCheckpoint: Atomic<Int>
    /// What the last call that writes has done.
    package internal(set) var writeStatistics = StoreStatistics()
    /// How many rows of objects saves have written.
    let rowsWritten = Atomic(0)
    /// What is known of the saves of others.
    var remote: RemoteSaves
    let marks: TableMarks
    /// Tells when others may have saved; nil before anybody wants to know.
    let logWatch = Mutex<LogWatch?>(nil)
    /// When reading last looked whether the file is where it was, in nanoseconds.
    let lastLocationCheck = Atomic<Int>(0)
    private let homes: [ManagedObjectID.Home]

    /// Opens a store, and makes it where there is none.
    /// - Throws: an error for each way in which a file cannot be the store; nothing is written then.
    /// - Parameter part: what of the model it keeps.
    package init(
        at location: SQLiteLocation, model: ManagedObjectModel, part: StorePart = .everything,
        options: StoreOptions
    ) throws {
        try options.validate()
        if OpenStores.areInherited { throw RecordStackError.forked }
        let tables = TableMap(model: model, part: part)
        let location = try location.resolved()
        let opening = StoreOpening(location: location, tables: tables, options: options)
        if case .file(let path) = location { try StoreLocations.shared.check(path) }
        let opened = try opening.open()
        self.location = location
        self.options = options
        self.tables = tables
        file = opened.file
        writer = opened.connection
        uuid = opened.uuid
        remote = RemoteSaves(position: opened.position)
        marks = TableMarks(tables: tables)
        let (writer, uuid) = (opened.connection, opened.uuid)
        OpenStores.add()
        if let file = opened.file, let identity = file.identity {
            StoreLocations.shared.add(file.path, identity)
        }
        nextCheckpoint = Atomic(options.checkpointPages)
        let memoryLock = location == .memory ? StoreLock() : nil
        self.memoryLock = memoryLock
        if let memoryLock { writer.onEnd = { _ in memoryLock.unlock() } }
        homes = model.modelEntities.map {
            ManagedObjectID.Home(
                store: uuid, entityName: $0.name, rootName: $0.description.root.name)
        }
        pool.withLock { $0.counters = [writer.counters] }
        if let reader = opened.reader { adopt(reader) }
    }

    deinit {
        guard process.isOwn else { return abandon() }
        // Closed or not, nothing can fail that somebody could still hear of.
        try? close()
        options.onEnd?()
    }

    func objectID(entity: Int, key: Int64) -> ManagedObjectID {
        ManagedObjectID(home: homes[entity], key: key)
    }

    /// Leaves the connections open, which are those of the process that this one was forked from.
    ///
    /// They are never freed: even to finalize a statement takes a lock of SQLite's, which a thread
    /// that did not come along may have held at the fork, and then nobody gives it up.
    private func abandon() {
        for connection in [writer] + pool.withLock({ $0.idle + $0.standing }) {
            _ = Unmanaged.passRetained(connection)
        }
        // Ending it would end the other process's watch over the file.
        if let watch = logWatch.withLock({ $0 }) { _ = Unmanaged.passRetained(watch) }
    }

    func checkOpen() throws {
        if pool.withLock({ $0.isClosed }) { throw RecordStackError.closedStore }
    }

    package func checkUsable() throws {
        try process.check()
    }

    package var path: String? { file?.path }

    package var statistics: StoreStatistics {
        var statistics = pool.withLock { pool in
            var statistics = pool.counted
            for counters in pool.counters { counters.add(to: &statistics) }
            return statistics
        }
        statistics.rowsWritten = rowsWritten.load(ordering: .relaxed)
        return statistics
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

    /// SQLite's own name for a store that has no file.
    static var memoryPath: String { ":memory:" }

    /// The file by its one name.
    func resolved() throws -> SQLiteLocation {
        guard case .file(let path) = self else { return self }
        return .file(try StorePath.resolve(path))
    }
}
