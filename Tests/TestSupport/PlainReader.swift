import CSQLite

/// Reads a table with SQLite alone, from a file that may be damaged.
package enum PlainReader {
    /// Email and name of all people; nil where SQLite fails on the way.
    package static func people(_ path: String) -> [String: String]? {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        guard sqlite3_open(path, &handle) == SQLITE_OK else { return nil }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = "SELECT email, name FROM Person"
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
        var people: [String: String] = [:]
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                guard let email = sqlite3_column_text(statement, 0),
                    let name = sqlite3_column_text(statement, 1)
                else { return nil }
                people[String(cString: email)] = String(cString: name)
            case SQLITE_DONE: return people
            default: return nil
            }
        }
    }
}
