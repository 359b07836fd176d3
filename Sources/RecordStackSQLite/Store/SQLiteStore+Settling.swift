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
            // A new token, because SQLite does not write what has not changed. The other stays, or
            // else settling could not be tried again.
            let latest = SaveToken()
            try connection.setToken(latest, inPlaceOf: nil)
            try connection.cached("COMMIT").run()
            connection.lastToken = latest
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
    /// How many bytes a token has in the store.
    static var size: Int { 16 }
}

// The store keeps the last token of each stack that saves, the latest first, so that one stack can
// find its own after others have saved.
extension SQLiteConnection {
    /// So many stacks can save after one whose save is not settled, however often each of them. The
    /// next one drives its token out, and it is told that its save is not there: then rows' versions
    /// and keys keep what was written from being written twice.
    private static var tokenLimit: Int { 16 }

    /// Puts a token before all others.
    /// - Parameter old: the one that goes.
    func setToken(_ token: SaveToken, inPlaceOf old: SaveToken?) throws {
        let statement = try tokenStatement()
        try statement.bind(token.stored, at: 1)
        try statement.bind((old ?? token).stored, at: 2)
        try statement.bind(.blob([]), at: 3)
        try statement.bind(Int64(Self.tokenLimit * SaveToken.size), at: 4)
        try statement.bind(.text(Metadata.token), at: 5)
        try statement.run()
    }

    /// The statement that every save runs.
    func tokenStatement() throws -> SQLiteStatement {
        try statement(.token) {
            "UPDATE \(SQLText.quoted(Metadata.table)) SET value = "
                + "substr(CAST(?1 || replace(value, ?2, ?3) AS BLOB), 1, ?4) WHERE name = ?5"
        }
    }

    func hasToken(_ token: SaveToken) throws -> Bool {
        guard case .blob(let tokens)? = try metadata(Metadata.token),
            case .blob(let wanted) = token.stored
        else { return false }
        return stride(from: 0, to: tokens.count, by: SaveToken.size).contains {
            tokens.dropFirst($0).starts(with: wanted)
        }
    }
}
