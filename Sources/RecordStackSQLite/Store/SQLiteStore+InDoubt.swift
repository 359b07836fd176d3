import CSQLite
package import RecordStackModel

extension SQLiteStore {
    package func resolveInDoubt(_ token: SaveToken) throws -> Bool {
        try writing { connection in
            do {
                // The disk has told lies or been silent: what is said now must be on it.
                return try connection.durably { try resolveInDoubt(token, on: connection) }
            } catch let failure as SQLiteFailure {
                throw failure.errorOfResolving()
            }
        }
    }

    /// A failed commit may lie in the log complete, without being counted as a part of it. Whoever
    /// makes the log's index anew, after the next crash, would find it there. So resolving writes,
    /// over that part of the log, and what it says stays true.
    private func resolveInDoubt(_ token: SaveToken, on connection: SQLiteConnection) throws -> Bool
    {
        try connection.cached("BEGIN IMMEDIATE").run()
        do {
            let isSaved = try connection.hasToken(token)
            // A new token, because SQLite does not write what has not changed; in a new row,
            // because the other stays, or else resolving could not be tried again.
            connection.tokens.tokenRow = nil
            let resolving = SaveToken()
            let tokenRow = try connection.setToken(resolving, ChangedKeys(bytes: []))
            remote.authors.append(resolving.author)
            try connection.cached("COMMIT").run()
            connection.tokens.tokenRow = tokenRow
            return isSaved
        } catch {
            // The first error says what happened.
            try? connection.cached("ROLLBACK").run()
            throw error
        }
    }
}

/// The row in which the saves of a connection leave their tokens.
final class TokenRow {
    let key: Int64
    /// The first bytes of what is there; null where nothing is.
    private(set) var author: StoredValue
    private var authorNumber: UInt64?
    /// Nil where nobody else can read it.
    private var log: SaveLog?
    private var token: [UInt8] = []

    /// - Parameter keepsLog: whether there may be others who read what is saved.
    init(key: Int64, former: SaveToken?, keepsLog: Bool) {
        self.key = key
        author = former?.authorBytes ?? .null
        authorNumber = former?.author
        log = keepsLog ? SaveLog(after: former) : nil
    }

    /// The bytes that the save writes to the row.
    var stored: [UInt8] { log?.bytes ?? token }

    /// The token is there.
    func note(_ token: SaveToken) {
        if authorNumber == token.author { return }
        authorNumber = token.author
        author = token.authorBytes
    }

    /// Adds a save. If it is not committed after all, readers of the next one look at its rows for nothing.
    func add(_ token: SaveToken, _ changes: ChangedKeys) {
        if log == nil { self.token = token.byteList } else { log?.add(token, changes) }
    }
}

extension SaveToken {
    fileprivate var authorBytes: StoredValue {
        .blob(withUnsafeBytes(of: author) { [UInt8]($0) })
    }
}

extension StoredValue {
    var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
}

// The store keeps the last token of each of some stacks, each in a row of its own, so that one stack
// can find its own after others have saved.
extension SQLiteConnection {
    /// This many stacks can begin to save after one whose save is in doubt, however often each of
    /// them saves. The next one overwrites its token, and the save is resolved as missing: then
    /// rows' versions and keys keep what was written from being written twice.
    private static var tokenRowCount: Int64 { 16 }

    /// Leaves a token in this connection's row, and what is changed under it.
    /// - Returns: the row, which is the connection's once the transaction is committed.
    func setToken(_ token: SaveToken, _ changes: ChangedKeys) throws -> TokenRow {
        if let row = tokens.tokenRow {
            row.add(token, changes)
            if try write(row) {
                row.note(token)
                return row
            }
        }
        let row = try takeTokenRow()
        row.add(token, changes)
        if try !write(row) {
            // What stands there is none of ours, so that it is nobody's row.
            try run(
                "UPDATE \(SQLText.quoted(Metadata.table)) SET value = ? WHERE id = ?",
                .blob(row.stored), .integer(row.key))
        }
        row.note(token)
        return row
    }

    /// - Returns: whether the row is still this connection's.
    private func write(_ row: TokenRow) throws -> Bool {
        let statement = try tokenStatement()
        try statement.bind(row.key, at: 2)
        try statement.bind(Self.authorSize, at: 3)
        try statement.bind(row.author, at: 4)
        try row.stored.withUnsafeBytes { stored in
            try statement.bind(lending: stored, at: 1)
            try statement.run()
        }
        return sqlite3_changes64(handle) == 1
    }

    /// The row that was given out least lately.
    private func takeTokenRow() throws -> TokenRow {
        let table = SQLText.quoted(Metadata.table)
        let number = (try metadata(Metadata.nextToken)?.integer ?? 0) % Self.tokenRowCount
        try run(
            "UPDATE \(table) SET value = ? WHERE name = ?",
            .integer((number + 1) % Self.tokenRowCount),
            .text(Metadata.nextToken))
        let name = StoredValue.text(Metadata.token(number))
        try run("INSERT OR IGNORE INTO \(table) (name) VALUES (?)", name)
        let statement = try cached("SELECT id, value FROM \(table) WHERE name = ?")
        try statement.bind(name, at: 1)
        defer { statement.reset() }
        guard try statement.step() else {
            throw RecordStackError.ignoredByTrigger("the mark of a save")
        }
        let former = statement.storedValue(column: 1).blob.flatMap { SaveToken(stored: $0[...]) }
        return TokenRow(key: statement.integer(column: 0), former: former, keepsLog: file != nil)
    }

    /// The statement that every save runs.
    func tokenStatement() throws -> SQLiteStatement {
        if let known = cache.knownTokenStatement { return known }
        let statement = try SQLiteStatement(
            // A row that somebody else has been given since is not this connection's any more.
            "UPDATE \(SQLText.quoted(Metadata.table)) SET value = ? WHERE id = ? "
                + "AND substr(value, 1, ?) IS ?", on: self, isPersistent: true)
        cache.knownTokenStatement = statement
        return statement
    }

    private static var authorSize: Int64 { 8 }

    func hasToken(_ token: SaveToken) throws -> Bool {
        try (0..<Self.tokenRowCount).contains { number in
            try metadata(Metadata.token(number))?.blob?.starts(with: token.byteList) ?? false
        }
    }
}
