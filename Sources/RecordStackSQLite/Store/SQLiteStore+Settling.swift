import CSQLite
package import RecordStackModel

extension SQLiteStore {
    package func settle(_ token: SaveToken) throws -> Bool {
        try writing { connection in
            do {
                // The disk has told lies or been silent: what is said now must be on it.
                return try connection.durably { try settle(token, on: connection) }
            } catch let failure as SQLiteFailure {
                throw failure.errorOfSettling()
            }
        }
    }

    /// A failed commit may lie in the log complete, without being counted as a part of it. Whoever
    /// makes the log's index anew, after the next crash, would find it there. So settling writes,
    /// over that place, and what it says stays true.
    private func settle(_ token: SaveToken, on connection: SQLiteConnection) throws -> Bool {
        try connection.cached("BEGIN IMMEDIATE").run()
        do {
            let isSaved = try connection.hasToken(token)
            // A new token, because SQLite does not write what has not changed; in a new place,
            // because the other stays, or else settling could not be tried again.
            connection.tokenPlace = nil
            let place = try connection.setToken(SaveToken())
            try connection.cached("COMMIT").run()
            connection.tokenPlace = place
            return isSaved
        } catch {
            // The first error says what happened.
            try? connection.cached("ROLLBACK").run()
            throw error
        }
    }
}

extension SaveToken {
    var stored: StoredValue { bytes.storedValue }
}

// The store keeps the last token of each of some stacks, each in a place of its own, so that one stack
// can find its own after others have saved.
extension SQLiteConnection {
    /// So many stacks can begin to save after one whose save is not settled, however often each of
    /// them saves. The next one drives its token out, and it is told that its save is not there: then
    /// rows' versions and keys keep what was written from being written twice.
    private static var tokenPlaces: Int64 { 16 }

    /// Leaves a token in this connection's place.
    /// - Returns: the key of the place's row, which is the connection's once the transaction is committed.
    func setToken(_ token: SaveToken) throws -> Int64 {
        let place = try tokenPlace ?? takeTokenPlace()
        let statement = try tokenStatement()
        try statement.bind(token.stored, at: 1)
        try statement.bind(place, at: 2)
        try statement.run()
        return place
    }

    /// The key of the row of the place that was given out least lately.
    private func takeTokenPlace() throws -> Int64 {
        let table = SQLText.quoted(Metadata.table)
        let place = (try metadata(Metadata.nextToken)?.integer ?? 0) % Self.tokenPlaces
        try run(
            "UPDATE \(table) SET value = ? WHERE name = ?",
            .integer((place + 1) % Self.tokenPlaces),
            .text(Metadata.nextToken))
        let name = StoredValue.text(Metadata.token(place))
        try run("INSERT OR IGNORE INTO \(table) (name) VALUES (?)", name)
        let row = try cached("SELECT id FROM \(table) WHERE name = ?")
        try row.bind(name, at: 1)
        defer { row.reset() }
        guard try row.step() else { throw SQLiteFailure(code: SQLITE_CORRUPT, handle: handle) }
        return row.integer(column: 0)
    }

    /// The statement that every save runs.
    func tokenStatement() throws -> SQLiteStatement {
        try statement(.token) {
            "UPDATE \(SQLText.quoted(Metadata.table)) SET value = ? WHERE id = ?"
        }
    }

    func hasToken(_ token: SaveToken) throws -> Bool {
        try (0..<Self.tokenPlaces).contains { place in
            try metadata(Metadata.token(place)) == token.stored
        }
    }
}
