import CSQLite
import RecordStackModel
import RecordStackPlatform

extension SQLiteStore {
    /// Removes a store and its log.
    ///
    /// - Returns: true if there was a store.
    package static func destroy(at location: SQLiteLocation) throws -> Bool {
        guard case .file(let path) = try location.resolved() else { return false }
        if OpenStores.areInherited { throw RecordStackError.forked }
        return try StoreRemoval(path: path).run()
    }
}

/// Removes a store's files in such an order that an interruption leaves a complete store or none.
struct StoreRemoval {
    let path: String

    func run() throws -> Bool {
        guard FileSystem.exists(path) else {
            // A log without its file is the remainder of an earlier removal.
            return removeStrayCompanions()
        }
        let checks = StoreFileChecks(path: path, isReadOnly: false)
        guard try checks.check() else { throw empty() }
        do {
            try checkOwner()
            try withAlone {
                // The log has been written back to the file, and is gone.
                removeCompanions()
                try remove(path)
            }
        } catch let failure as SQLiteFailure {
            throw failure.primaryCode == SQLITE_BUSY ? inUse(failure) : failure.error(opening: path)
        }
        return true
    }

    /// Checks that the file is a store, without changing it.
    ///
    /// Closing a writable connection would write back a log that another program's crash has left.
    private func checkOwner() throws {
        let connection = try open(.readOnly, .reader)
        defer { connection.close() }
        let isMarked = try connection.integer("PRAGMA application_id") == Metadata.applicationID
        let tables = try connection.integer(
            "SELECT count(*) FROM sqlite_schema WHERE name = ?", .text(Metadata.table))
        if isMarked && tables == 1 { return }
        throw RecordStackError(
            .modelMismatch,
            "The file at \(path) is not a store of RecordStack, and is left as it is. Remove it by "
                + "other means if it is to go.")
    }

    /// The error for an empty file.
    ///
    /// It may be the start of another program's file, or the remainder of an interrupted opening.
    private func empty() -> RecordStackError {
        RecordStackError(
            .notADatabase,
            "The file at \(path) is empty, so that it is no store, and is left as it is. Remove it by other "
                + "means if it is to go.")
    }

    /// Runs a closure with exclusive access to the store, after its log is written back.
    private func withAlone(_ body: () throws -> Void) throws {
        let connection = try open(.readWrite, .copier)
        defer { connection.close() }
        try connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        // Leaving WAL mode needs exclusive access: it fails while any other connection is open.
        let mode = try connection.text("PRAGMA journal_mode=DELETE")
        guard mode == "delete" else { throw inUse(nil) }
        try connection.execute("BEGIN EXCLUSIVE")
        defer { try? connection.execute("ROLLBACK") }
        try body()
    }

    private func open(
        _ access: StoreFile.Access, _ role: SQLiteConnection.Role
    ) throws -> SQLiteConnection {
        let options = StoreOptions(busyTimeout: 0.1, sqlDebugLevel: .off)
        let connection = try SQLiteConnection(
            file: StoreFile(path: path, access: access), role: role, number: 0,
            tables: TableMap(model: try ManagedObjectModel(entities: [])), options: options)
        try connection.configure()
        return connection
    }

    private func removeCompanions() {
        for suffix in Companion.allCases { try? FileSystem.remove(path + suffix.rawValue) }
    }

    /// Removes the files that SQLite has created, but not other files with these names.
    @discardableResult
    private func removeStrayCompanions() -> Bool {
        Companion.allCases.count {
            $0.isMade(beside: path) && (try? FileSystem.remove(path + $0.rawValue)) != nil
        } > 0
    }

    private func remove(_ path: String) throws {
        do throws(SystemError) {
            try FileSystem.remove(path)
        } catch {
            throw RecordStackError(
                error.isOfPermission ? .readOnly : .io,
                "The file at \(path) cannot be removed: \(error.message). Check the permissions of its folder."
            )
        }
    }

    private func inUse(_ cause: SQLiteFailure?) -> RecordStackError {
        RecordStackError(
            .busy,
            "The store at \(path) is open in a stack or another process. Close it there, then destroy "
                + "it.", cause: cause)
    }
}

/// The files that SQLite keeps beside a database.
private enum Companion: String, CaseIterable {
    case log = "-wal"
    case index = "-shm"
    case journal = "-journal"

    /// The possible first bytes of the file.
    private var beginnings: [[UInt8]] {
        switch self {
        case .log: [[0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83]]
        case .index: [[0x18, 0xE2, 0x2D, 0x00], [0, 0, 0, 0]]
        case .journal: [[0xD9, 0xD5, 0x05, 0xF9], [0, 0, 0, 0]]
        }
    }

    func isMade(beside path: String) -> Bool {
        guard let file = try? OpenFile(path + rawValue, .readingWithoutWaiting),
            (try? file.status)?.kind == .regular
        else { return false }
        var bytes = [UInt8](repeating: 0, count: 4)
        let count = bytes.withUnsafeMutableBytes { try? file.read(into: $0) }
        return count == 0 || (count == 4 && beginnings.contains(bytes))
    }
}
