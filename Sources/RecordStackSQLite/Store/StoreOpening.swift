import CSQLite
import FoundationEssentials
import Glibc
import RecordStackModel

/// What happens before a store is one: looking at what is there, and making what is not.
struct StoreOpening {
    let location: SQLiteLocation
    let tables: TableMap
    let options: StoreOptions

    /// Looks at a file that exists without changing it.
    func inspect() throws {
        guard case .file(let path) = location else { return }
        guard try checkFile(at: path) else { return }
        // A file whose log is elsewhere or gone can be read as it is, and SQLite then makes no
        // files of its own beside it.
        let hasLog = ["-wal", "-journal"].contains { access(path + $0, F_OK) == 0 }
        let connection = try SQLiteConnection(
            path: hasLog ? path : Self.immutableURI(of: path),
            flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, role: .reader, number: 0,
            tables: tables, options: options)
        do {
            try connection.configure()
            _ = try verify(connection, path: path)
        } catch let failure as SQLiteFailure {
            throw failure.error(opening: path)
        }
    }

    /// Whether there is a file with something in it.
    private func checkFile(at path: String) throws -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else {
                throw cannotOpen(path, "its folder cannot be looked into")
            }
            try checkFolder(of: path)
            return false
        }
        if status.st_mode & S_IFMT == S_IFDIR { throw cannotOpen(path, "it is a directory") }
        if access(path, R_OK | W_OK) != 0 {
            throw cannotOpen(path, "the permission to read and write it is missing")
        }
        try checkFolder(of: path)
        // SQLite takes a file that is shorter than the smallest page for an empty one, and would
        // write over it.
        if (1..<512).contains(status.st_size) {
            throw RecordStackError(
                .notADatabase, "The file at \(path) is not a SQLite database.")
        }
        return status.st_size > 0
    }

    /// SQLite keeps two more files beside the file itself, wherever a link to it stands.
    private func checkFolder(of path: String) throws {
        let real = realpath(path, nil)
        defer { free(real) }
        let file = real.map { String(cString: $0) } ?? path
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
        let name = folder.isEmpty ? "/" : folder
        if access(name, F_OK) != 0 { throw cannotOpen(path, "the folder \(name) does not exist") }
        if access(name, W_OK | X_OK) != 0 {
            throw cannotOpen(
                path,
                "the permission to write to the folder \(name) is missing, where its log is kept "
                    + "as well")
        }
    }

    private func cannotOpen(_ path: String, _ reason: String) -> RecordStackError {
        RecordStackError(.cannotOpen, "The store at \(path) cannot be opened: \(reason).")
    }

    /// Characters that mean something in a URI are escaped; everything else may stand as it is.
    static func immutableURI(of path: String) -> String {
        let escaped = path.utf8.map { byte -> String in
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"):
                "%" + String(byte, radix: 16, uppercase: true)
            case 0x80...: "%" + String(byte, radix: 16, uppercase: true)
            default: String(UnicodeScalar(byte))
            }
        }
        return "file://\(escaped.joined())?immutable=1"
    }

    /// Checks that a database is a store for the model.
    /// - Returns: its UUID and what it was made for, or nil for a database without any table.
    private func verify(
        _ connection: SQLiteConnection, path: String
    ) throws -> (UUID, StoreDescription)? {
        let objects = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        if objects == 0 { return nil }
        guard try connection.integer("PRAGMA application_id") == Metadata.applicationID else {
            throw RecordStackError(
                .modelMismatch,
                "The database at \(path) was made by another program. Choose another file.")
        }
        let format = try metadata(Metadata.format, connection)?.integer ?? 0
        guard format <= Metadata.currentFormat else {
            throw RecordStackError(
                .newerFormat,
                "The store at \(path) has format \(format), and this version of RecordStack reads "
                    + "up to \(Metadata.currentFormat). Update the program.")
        }
        let description = try verifyModel(connection, path: path)
        guard let text = try metadata(Metadata.uuid, connection)?.text,
            let uuid = UUID(uuidString: text)
        else { throw damaged(path) }
        return (uuid, description)
    }

    /// - Returns: what the store was made for: the model, or one that the model only adds to.
    private func verifyModel(
        _ connection: SQLiteConnection, path: String
    ) throws -> StoreDescription {
        let wanted = StoreDescription(model: tables.model)
        guard let text = try metadata(Metadata.model, connection)?.text,
            let stored = try? StoreDescription(text: text)
        else { throw damaged(path) }
        if stored == wanted || StoreExtension.isEnough(from: stored, to: wanted, of: tables.model) {
            return stored
        }
        let list = stored.differences(from: wanted).joined(separator: "; ")
        throw RecordStackError(
            .modelMismatch, "The store at \(path) was made for another model: \(list).")
    }

    private func damaged(_ path: String) -> RecordStackError {
        RecordStackError(
            .corrupt, "The store at \(path) has lost its description. Restore it from a backup.")
    }

    private func metadata(
        _ name: String, _ connection: SQLiteConnection
    ) throws -> StoredValue? {
        let statement = try SQLiteStatement(
            "SELECT value FROM \(SQLText.quoted(Metadata.table)) WHERE name = ?", on: connection)
        try statement.bind(.text(name), at: 1)
        defer { statement.reset() }
        return try statement.step() ? statement.storedValue(column: 0) : nil
    }

    /// Opens the connection that writes, and makes the tables where there are none.
    func open() throws -> (SQLiteConnection, UUID) {
        let path = if case .file(let path) = location { path } else { ":memory:" }
        do {
            let connection = try SQLiteConnection(
                path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, role: .writer,
                number: 1, tables: tables, options: options)
            try connection.configure()
            if location != .memory { try requireLog(connection, path: path) }
            return (connection, try establish(connection, path: path))
        } catch let failure as SQLiteFailure {
            throw failure.error(opening: path)
        }
    }

    private func requireLog(_ connection: SQLiteConnection, path: String) throws {
        let mode = try connection.text("PRAGMA journal_mode=WAL")
        guard mode == "wal" else {
            throw cannotOpen(path, "its file system does not allow a write-ahead log")
        }
    }

    /// Another process may be making the same store, so everything is looked at again inside of
    /// the transaction that makes it.
    private func establish(_ connection: SQLiteConnection, path: String) throws -> UUID {
        try connection.execute("BEGIN IMMEDIATE")
        do {
            let uuid = try verifyAndExtend(connection, path: path) ?? create(connection)
            try connection.execute("COMMIT")
            return uuid
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    private func verifyAndExtend(_ connection: SQLiteConnection, path: String) throws -> UUID? {
        guard let (uuid, stored) = try verify(connection, path: path) else { return nil }
        if stored != StoreDescription(model: tables.model) {
            try StoreExtension(stored: stored, tables: tables, connection: connection).apply()
        }
        return uuid
    }

    private func create(_ connection: SQLiteConnection) throws -> UUID {
        for statement in SchemaText(tables: tables).statements() {
            try connection.execute(statement)
        }
        let uuid = UUID()
        let insert = "INSERT INTO \(SQLText.quoted(Metadata.table)) VALUES (?, ?)"
        try connection.run(insert, .text(Metadata.format), .integer(Metadata.currentFormat))
        try connection.run(insert, .text(Metadata.uuid), .text(uuid.uuidString))
        let description = try StoreDescription(model: tables.model).text()
        try connection.run(insert, .text(Metadata.model), .text(description))
        try connection.run(insert, .text(Metadata.token), .blob([]))
        for table in tables.tables {
            try connection.run(insert, .text(Metadata.lease(table.name)), .integer(1))
        }
        return uuid
    }
}
