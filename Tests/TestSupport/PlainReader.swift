import CSQLite

/// Reads a table with SQLite alone, from a file that may be damaged.
package enum PlainReader {
    /// Returns the name of each person by email. Returns nil if SQLite fails, or if it finds two
    /// rows with one key, because then either row could be the object.
    package static func people(_ path: String) -> [String: String]? {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        guard sqlite3_open(path, &handle) == SQLITE_OK else { return nil }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = "SELECT email, name, _key FROM Person"
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
        var people: [String: String] = [:]
        var keys: Set<Int64> = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                guard let email = text(statement, 0), let name = text(statement, 1) else {
                    return nil
                }
                people[email] = name
                guard keys.insert(sqlite3_column_int64(statement, 2)).inserted else { return nil }
            case SQLITE_DONE: return people
            default: return nil
            }
        }
    }

    /// Returns the whole text, including the part behind a NUL.
    private static func text(_ statement: OpaquePointer?, _ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
