import CSQLite
import FoundationEssentials
import RecordStackPlatform
import RecordStackModel

/// Opens a store: checks what exists, and creates what is missing.
struct StoreOpening {
    let location: SQLiteLocation
    let tables: TableMap
    let options: StoreOptions
    /// The description of the model, and below it the text that the store keeps of it.
    let wanted: StoreDescription
    let wantedText: String

    init(location: SQLiteLocation, tables: TableMap, options: StoreOptions) {
        self.location = location
        self.tables = tables
        self.options = options
        wanted = StoreDescription(tables)
        wantedText = wanted.text
    }

    /// The facts about a store that was opened.
    struct Opened {
        let connection: SQLiteConnection
        /// The connection that checked the store, and that can continue to read it.
        var reader: SQLiteConnection?
        let file: StoreFile?
        let uuid: UUID
        /// The saves that the store had.
        var position = StorePosition()
    }

    /// Checks the file, opens the connection that writes, and creates missing tables.
    func open() throws -> Opened {
        guard case .file(let path) = location else { return try openMemory() }
        let start = ContinuousClock.now
        while true {
            do {
                return try openFile(path)
            } catch let failure as SQLiteFailure {
                // While the last other connection closes, SQLite reports busy without calling
                // the busy handler.
                let isBusy = failure.primaryCode == SQLITE_BUSY
                guard isBusy, .now - start < .seconds(options.busyTimeout) else {
                    throw failure.error(opening: path)
                }
                CurrentThread.sleep(microseconds: 2_000)
            }
        }
    }

    private func openFile(_ path: String) throws -> Opened {
        let checks = StoreFileChecks(path: path, isReadOnly: options.isReadOnly)
        let isThere = try checks.check()
        if options.isReadOnly { return try openReading(path) }
        return try openWriting(path, isThere ? try inspect(path) : nil)
    }

    private func openMemory() throws -> Opened {
        if options.isReadOnly {
            throw RecordStackError(
                .misuse,
                "A store in memory is empty when it is made, so nothing can be read from it. Leave "
                    + "isReadOnly out.")
        }
        let connection = try SQLiteConnection(
            file: nil, role: .writer, number: 1, tables: tables, options: options)
        try connection.configure()
        let (uuid, _) = try establish(connection, path: SQLiteLocation.memoryPath)
        return Opened(connection: connection, file: nil, uuid: uuid)
    }

    /// A store that was checked and needs no changes.
    private struct Inspected {
        /// The connection that checked the store, and that can continue to read it.
        let reader: SQLiteConnection
        let verified: Verified
    }

    /// Checks an existing file without changing it.
    ///
    /// - Returns: nil if the file must be changed before it is a store of the model.
    private func inspect(_ path: String) throws -> Inspected? {
        // A file without a log can be read without locks, and SQLite then creates no
        // files beside it.
        let hasLog = ["-wal", "-journal"].contains { FileSystem.exists(path + $0) }
        guard let state = FileState(path: path) else { throw RecordStackError.moved(path) }
        let isStore = try hasLog || isStoreWithoutLog(path, state)
        guard isStore else { return nil }
        do {
            return try inspectWithLocks(path)
        } catch let failure as SQLiteFailure where failure.code == ResultCode.readOnlyRollback {
            // A program was killed while it created the store, or changed it without a WAL. Only a
            // connection that writes can roll that back.
            return nil
        }
    }

    private func isStoreWithoutLog(_ path: String, _ state: FileState) throws -> Bool {
        let file = StoreFile(path: path, access: .frozen(state))
        do {
            let connection = try SQLiteConnection(
                file: file, role: .reader, number: 0, tables: tables, options: options)
            try connection.configure()
            let verified = try verify(connection, path: path)
            try checkLength(state.size, connection, path: path)
            return verified != nil
        } catch {
            // If another process opened the store at the same moment, it may have changed what was
            // read without locks. The file is then read again with locks.
            if (try? file.checkFrozen()) != nil { throw error }
            return true
        }
    }

    private func inspectWithLocks(_ path: String) throws -> Inspected? {
        let reader = try SQLiteConnection(
            file: StoreFile(path: path, access: .readWrite), role: .reader,
            number: Self.firstReader, tables: tables, options: options)
        try reader.configure()
        try reader.cached("BEGIN").run()
        // A failure to end a transaction that only read has no effect.
        defer { try? reader.cached("COMMIT").run() }
        guard let verified = try verify(reader, path: path), verified.description == wanted,
            verified.format == Metadata.currentFormat, reader.hasHeaderWithLog()
        else { return nil }
        return Inspected(reader: reader, verified: verified)
    }

    /// The number of the first connection that reads, after the one that writes.
    private static var firstReader: Int { 2 }

    /// Checks the length of the file. SQLite reads the missing end of the last page as zeros.
    private func checkLength(
        _ size: Int, _ connection: SQLiteConnection, path: String
    ) throws {
        let pageSize = Int(try connection.integer("PRAGMA page_size") ?? 512)
        if size % pageSize == 0 { return }
        throw RecordStackError(
            .corrupt,
            "The store at \(path) is cut off: its last page is not complete. Restore it from a "
                + "backup, or copy it anew.")
    }

    /// Checks that SQLite can write to the file.
    ///
    /// If a file's header requires a newer version, SQLite reads the file but does not write to it.
    private func checkWritable(_ connection: SQLiteConnection, path: String) throws {
        if sqlite3_db_readonly(connection.handle, "main") != 1 { return }
        throw RecordStackError(
            .corrupt,
            "The header of the store at \(path) says that it must not be written to by this version of "
                + "SQLite. It is damaged; restore it from a backup.")
    }

    /// Opens the connection that writes.
    ///
    /// - Parameter inspected: a store that needs no changes. It is not read a second time, and the
    ///   writing connection is configured at its first use.
    private func openWriting(_ path: String, _ inspected: Inspected?) throws -> Opened {
        var file = StoreFile(path: path, access: .readWrite)
        let connection = try SQLiteConnection(
            file: file, role: .writer, number: 1, tables: tables, options: options)
        file.rememberFile()
        if let inspected, try !inspected.reader.hasMoved(), try !connection.hasMoved() {
            file.rememberCompanions()
            return Opened(
                connection: connection, reader: inspected.reader, file: file,
                uuid: inspected.verified.uuid, position: inspected.verified.position)
        }
        try connection.configure()
        try requireLog(connection, path: path)
        try checkWritable(connection, path: path)
        let (uuid, position) = try establish(connection, path: path)
        if try connection.hasMoved() { throw RecordStackError.moved(path) }
        file.rememberCompanions()
        return Opened(connection: connection, file: file, uuid: uuid, position: position)
    }

    private func openReading(_ path: String) throws -> Opened {
        var file = StoreFile(path: path, access: try StoreFile.readingAccess(path))
        file.rememberFile()
        let connection = try SQLiteConnection(
            file: file, role: .reader, number: 0, tables: tables, options: options)
        try connection.configure()
        let verified = try connection.reading { try verify(connection, path: path) }
        guard let verified else {
            throw StorePath.cannotOpen(
                path, "it is a database without tables",
                "Open it once without isReadOnly, which makes it a store.")
        }
        let stored = verified.description
        if stored != wanted {
            throw RecordStackError(
                .modelMismatch,
                "The store at \(path) was made for an older model, and is brought up to date by "
                    + "opening it once without isReadOnly: "
                    + stored.differences(from: wanted).joined(separator: "; ") + ".")
        }
        let state = FileState(path: path)
        if let state, state.size > 0, !StoreFile.hasLog(path) {
            try checkLength(state.size, connection, path: path)
        }
        try file.checkFrozen()
        return Opened(
            connection: connection, file: file, uuid: verified.uuid, position: verified.position)
    }

    private func requireLog(_ connection: SQLiteConnection, path: String) throws {
        let mode = try connection.text("PRAGMA journal_mode=WAL")
        guard mode == "wal" else {
            throw StorePath.cannotOpen(
                path, "its file system does not allow a write-ahead log",
                "Choose a folder on a local disk.")
        }
    }

    /// Creates or extends the store.
    ///
    /// Another process may be creating the same store, so the transaction repeats all checks.
    private func establish(
        _ connection: SQLiteConnection, path: String
    ) throws -> (UUID, StorePosition) {
        try connection.execute("BEGIN IMMEDIATE")
        do {
            let known = try verifyAndExtend(connection, path: path)
            let uuid = try known?.uuid ?? create(connection)
            // The statement is compiled while no other process can change the tables:
            // see `checkModel`.
            _ = try connection.tokenStatement()
            try connection.execute("COMMIT")
            return (uuid, known?.position ?? StorePosition())
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    private func verifyAndExtend(_ connection: SQLiteConnection, path: String) throws -> Verified? {
        guard let verified = try verify(connection, path: path) else { return nil }
        if verified.description != wanted {
            try LightweightMigration(
                stored: verified.description, wanted: wanted, tables: tables, connection: connection
            ).apply()
        }
        if verified.format < Metadata.currentFormat { try raiseFormat(connection) }
        return verified
    }

    /// Adds the counter of incarnations, which format 1 lacks.
    ///
    /// Row versions are the same in both formats.
    private func raiseFormat(_ connection: SQLiteConnection) throws {
        let table = SQLText.quoted(Metadata.table)
        try connection.run(
            "UPDATE \(table) SET value = ? WHERE name = ?", .integer(Metadata.currentFormat),
            .text(Metadata.format))
        try connection.run(
            "INSERT OR IGNORE INTO \(table) (name, value) VALUES (?, ?)",
            .text(Metadata.incarnation), .integer(try latestIncarnation(connection)))
    }

    /// Returns the latest incarnation of the stored rows.
    ///
    /// Damaged versions are ignored here and reported when their rows are read.
    private func latestIncarnation(_ connection: SQLiteConnection) throws -> Int64 {
        let version = SQLText.quoted(SystemColumn.version)
        // Text and data compare greater than all numbers.
        let end = RowVersion(incarnation: RowVersion.lastIncarnation + 1, number: 0)
        return try tables.kept.map { table in
            let latest = try connection.integer(
                "SELECT max(\(version)) FROM \(SQLText.quoted(table.name)) WHERE \(version) < ?",
                .integer(end.column))
            return max(RowVersion(column: latest ?? 0).incarnation, 0)
        }.max() ?? 0
    }

    private func create(_ connection: SQLiteConnection) throws -> UUID {
        for statement in SchemaText(tables: tables).statements() {
            try connection.execute(statement)
        }
        let uuid = UUID()
        let insert = "INSERT INTO \(SQLText.quoted(Metadata.table)) (name, value) VALUES (?, ?)"
        try connection.run(insert, .text(Metadata.format), .integer(Metadata.currentFormat))
        try connection.run(insert, .text(Metadata.uuid), .text(uuid.uuidString))
        try connection.run(insert, .text(Metadata.model), .text(wantedText))
        try connection.run(insert, .text(Metadata.nextToken), .integer(0))
        try connection.run(insert, .text(Metadata.incarnation), .integer(0))
        for table in tables.kept {
            try connection.run(insert, .text(Metadata.lease(table.name)), .integer(1))
        }
        return uuid
    }
}
