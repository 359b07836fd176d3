import GRDBSQLite

/// A connection of the floors, which uses only the C API.
final class RawConnection {
    let handle: OpaquePointer

    init(path: String, pragmas: [Pragma] = Pragma.all()) throws {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw Failure("SQLite cannot open \(path): \(String(cString: sqlite3_errstr(code)))")
        }
        handle = opened
        for pragma in pragmas { try execute(pragma.statement) }
        try Pragma.verify(handle, pragmas)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    func failure() -> Failure {
        Failure("SQLite: \(String(cString: sqlite3_errmsg(handle)))")
    }
}
