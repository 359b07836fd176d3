import CSQLite
import Testing

/// Another program that holds the write lock of a store.
package final class ForeignLock {
    private var handle: OpaquePointer?

    package init(path: String) throws {
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        try #require(sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    }

    package func release() throws {
        try #require(sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
        sqlite3_close(handle)
        handle = nil
    }

    deinit {
        sqlite3_close(handle)
    }
}

/// Another program that reads and writes a store with plain SQL.
package final class ForeignProgram {
    private var handle: OpaquePointer?

    package init(path: String) throws {
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        // A save may still lease keys after its caller has gone on.
        try #require(sqlite3_busy_timeout(handle, 10_000) == SQLITE_OK)
    }

    deinit {
        sqlite3_close(handle)
    }

    package func run(_ sql: String) throws {
        try #require(
            sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK,
            "\(String(cString: sqlite3_errmsg(handle)))")
    }

    /// Runs SQL that may fail.
    /// - Returns: true if it succeeded.
    @discardableResult
    package func attempt(_ sql: String) -> Bool {
        sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK
    }

    /// Returns all rows, with their values as text and "NULL" for null.
    package func rows(_ sql: String) throws -> [[String]] {
        var statement: OpaquePointer?
        try #require(
            sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
            "\(String(cString: sqlite3_errmsg(handle)))")
        defer { sqlite3_finalize(statement) }
        var rows: [[String]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map {
                    sqlite3_column_text(statement, $0).map { String(cString: $0) } ?? "NULL"
                })
        }
        return rows
    }
}
