package import FoundationEssentials
package import RecordStackModel
import Synchronization

/// A store in a SQLite file or in memory.
///
/// A store in a file has one connection that writes and checkpoints, and a pool of connections that
/// read. A store in memory has one connection for everything, behind a lock.
///
/// - Note: `@unchecked Sendable`: only the stack's writer uses `writer`, `writeStatistics` and
///   `remote`, one thread at a time, or code under `memoryLock`. All other properties are immutable
///   or protected by a lock.
package final class SQLiteStore: PersistentStore, @unchecked Sendable {
    package let uuid: UUID
    let location: SQLiteLocation
    /// The file; nil in memory.
    let file: StoreFile?
    let process = ProcessGuard()
    let options: StoreOptions
    let tables: TableMap
    let writer: SQLiteConnection
    /// The lock around the only connection of a store in memory.
    let memoryLock: StoreLock?
    let pool = Mutex(ReaderPool())
    /// The number of pages in the log at which it is written back.
    let nextCheckpoint: Atomic<Int>
    /// The statistics of the last call that writes.
    package internal(set) var writeStatistics = StoreStatistics()
    /// The number of object rows that saves have written.
    let rowsWritten = Atomic(0)
    /// The knowledge of other stacks' saves.
    var remote: RemoteSaves
    let marks: TableMarks
    /// The watch for remote saves; nil before it is requested.
    let logWatch = Mutex<LogWatch?>(nil)
    /// The time of the last check of the file's location, in nanoseconds.
    let lastLocationCheck = Atomic<Int>(0)
    private let homes: [ManagedObjectID.Home]

    /// Opens a store, and creates it if it does not exist.
    ///
    /// - Parameter part: the part of the model that the store keeps.
    /// - Throws: an error if the file cannot be the store. Nothing is written then.
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
        // Nothing can handle an error at this time.
        try? close()
        options.onEnd?()
    }

    func objectID(entity: Int, key: Int64) -> ManagedObjectID {
        ManagedObjectID(home: homes[entity], key: key)
    }

    /// Leaks the connections, which belong to the process from which this one was forked.
    ///
    /// They are never freed. Even finalizing a statement takes a lock of SQLite's. A thread
    /// that does not exist in this process may have held that lock at the fork, and would
    /// never release it.
    private func abandon() {
        for connection in [writer] + pool.withLock({ $0.idle + $0.standing }) {
            _ = Unmanaged.passRetained(connection)
        }
        // Ending the watch would end the parent's watch of the file.
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

/// The location of a SQLite store.
package enum SQLiteLocation: Sendable, Hashable {
    case file(String)
    case memory

    /// SQLite's name for a store without a file.
    static var memoryPath: String { ":memory:" }

    /// Returns the location with the canonical path of its file.
    func resolved() throws -> SQLiteLocation {
        guard case .file(let path) = self else { return self }
        return .file(try StorePath.resolve(path))
    }
}
