import CSQLite
package import RecordStackModel

extension SQLiteStore {
    package func resolveInDoubt(_ token: SaveToken) throws -> Bool {
        try writing { connection in
            do {
                // The disk has failed before, so this result must be durable.
                return try connection.durably { try resolveInDoubt(token, on: connection) }
            } catch let failure as SQLiteFailure {
                throw failure.errorOfResolving()
            }
        }
    }

    /// Determines whether an in-doubt save is in the store.
    ///
    /// A failed commit may be complete in the log without being counted as part of it. After a
    /// crash, a process that rebuilds the log's index would find it there. Resolving therefore
    /// writes over that part of the log, and its result stays true.
    private func resolveInDoubt(_ token: SaveToken, on connection: SQLiteConnection) throws -> Bool
    {
        try connection.cached("BEGIN IMMEDIATE").run()
        do {
            let isSaved = try connection.hasToken(token)
            // The token must be new, because SQLite does not write unchanged data. The row must be
            // new as well: the old row stays, so that resolving can be repeated.
            connection.tokens.tokenRow = nil
            let resolving = SaveToken()
            let tokenRow = try connection.setToken(resolving, ChangedKeys(bytes: []))
            remote.authors.append(resolving.author)
            try connection.cached("COMMIT").run()
            connection.tokens.tokenRow = tokenRow
            return isSaved
        } catch {
            // The first error is the informative one.
            try? connection.cached("ROLLBACK").run()
            throw error
        }
    }
}

/// The row in which a connection's saves leave their tokens.
final class TokenRow {
    let key: Int64
    /// The first bytes of the row; null if it is empty.
    private(set) var author: StoredValue
    private var authorNumber: UInt64?
    /// The log of changes; nil if no other stack can read it.
    private var log: SaveLog?
    private var token: [UInt8] = []

    /// Creates the state of a row.
    ///
    /// - Parameter keepsLog: true if other stacks may read the saves.
    init(key: Int64, former: SaveToken?, keepsLog: Bool) {
        self.key = key
        author = former?.authorBytes ?? .null
        authorNumber = former?.author
        log = keepsLog ? SaveLog(after: former) : nil
    }

    /// The bytes that the save writes to the row.
    var stored: [UInt8] { log?.bytes ?? token }

    /// Records that the row has the token.
    func note(_ token: SaveToken) {
        if authorNumber == token.author { return }
        authorNumber = token.author
        author = token.authorBytes
    }

    /// Adds a save. If it is not committed after all, later readers read its rows needlessly.
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

// The store keeps the last token of several stacks, each in a separate row, so that a stack can
// find its own token after other stacks have saved.
extension SQLiteConnection {
    /// The number of stacks that can begin to save after one whose save is in doubt.
    ///
    /// It does not matter how often each of them saves. The next stack overwrites the token, and
    /// the save is resolved as missing. In that case, row versions and keys prevent a save that was
    /// written from being written twice.
    private static var tokenRowCount: Int64 { 16 }

    /// Writes a token to this connection's row, and the changes of the save after it.
    ///
    /// - Returns: the row, which belongs to the connection once the transaction is committed.
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
            // The row's value belongs to no stack, so the statement with a condition has
            // not matched it.
            try run(
                "UPDATE \(SQLText.quoted(Metadata.table)) SET value = ? WHERE id = ?",
                .blob(row.stored), .integer(row.key))
        }
        row.note(token)
        return row
    }

    /// Writes a row.
    ///
    /// - Returns: false if the row no longer belongs to this connection.
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

    /// Returns the row that was taken least recently, for this connection.
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

    /// Returns the statement that every save runs.
    func tokenStatement() throws -> SQLiteStatement {
        if let known = cache.knownTokenStatement { return known }
        let statement = try SQLiteStatement(
            // The condition fails if another stack has taken the row since.
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
