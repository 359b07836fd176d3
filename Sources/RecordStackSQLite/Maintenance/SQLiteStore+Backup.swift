import CSQLite
package import RecordStackModel

extension SQLiteStore {
    package func backUp(
        to path: String, replacing: Bool, progress: (BackupProgress) throws -> Void
    ) throws {
        try process.check()
        let target = try BackupTarget(path: path, replacing: replacing, source: file)
        do {
            try copy(to: target.temporaryPath, progress)
            try target.publish()
        } catch {
            target.removeTemporaryFiles()
            throw (error as? SQLiteFailure)?.error() ?? error
        }
    }

    private func copy(to path: String, _ progress: (BackupProgress) throws -> Void) throws {
        let file = StoreFile(path: path, access: .readWrite)
        let copy = try SQLiteConnection(
            file: file, role: .copier, number: 0, tables: tables, options: options)
        defer { copy.close() }
        try copy.configure()
        // The copy is flushed once it is complete, and is of no use before.
        try copy.execute("PRAGMA synchronous=OFF")
        try lendingReader { source in try Self.copyPages(of: source, to: copy, progress) }
        // The copy is one file without companions, which can be read from anywhere.
        try copy.execute("PRAGMA journal_mode=DELETE")
    }

    /// Copies the pages, which one read transaction protects from concurrent changes.
    private static func copyPages(
        of source: SQLiteConnection, to copy: SQLiteConnection,
        _ progress: (BackupProgress) throws -> Void
    ) throws {
        // A transaction fixes what it reads with its first statement.
        _ = try source.integer("SELECT count(*) FROM sqlite_schema")
        guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main") else {
            throw SQLiteFailure(code: sqlite3_errcode(copy.handle), handle: copy.handle)
        }
        do {
            try step(backup, copy, progress)
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        let code = sqlite3_backup_finish(backup)
        if code != SQLITE_OK { throw SQLiteFailure(code: code, handle: copy.handle) }
    }

    private static func step(
        _ backup: OpaquePointer, _ copy: SQLiteConnection,
        _ progress: (BackupProgress) throws -> Void
    ) throws {
        while true {
            let code = sqlite3_backup_step(backup, pagesPerStep)
            guard code == SQLITE_OK || code == SQLITE_DONE else {
                throw SQLiteFailure(code: code, handle: copy.handle)
            }
            let count = Int(sqlite3_backup_pagecount(backup))
            let rest = Int(sqlite3_backup_remaining(backup))
            try progress(BackupProgress(pagesCopied: count - rest, pageCount: count))
            if code == SQLITE_DONE { return }
        }
    }

    /// The pages of one megabyte, which take some milliseconds between two chances to stop.
    private static var pagesPerStep: Int32 { 256 }
}
