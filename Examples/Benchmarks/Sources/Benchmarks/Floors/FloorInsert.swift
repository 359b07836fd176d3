import GRDBSQLite

/// **Rw**: a prepared one-row INSERT in a loop, in one transaction.
final class FloorInsert: Contender {
    let name = "Rw"
    private let data: PersonData
    private let directory: WorkDirectory
    private let path: String
    private var statement: RawStatement?

    init(_ lab: Lab) {
        data = lab.data
        directory = lab.directory
        path = lab.directory.path("insert-floor.sqlite")
    }

    func prepare() throws {
        try PersonSchema.makeStore(at: path, data, filled: false)
        let connection = try RawConnection(path: path)
        statement = try RawStatement(PersonSchema.insertStatement, on: connection)
    }

    func run() throws {
        guard let statement else { return }
        try statement.connection.execute("BEGIN IMMEDIATE")
        for person in data.persons { try statement.insert(person) }
        try statement.connection.execute("COMMIT")
    }

    func finish() throws {
        statement = nil
        directory.removeStore(path)
    }

    func fingerprint() throws -> Fingerprint {
        try prepare()
        try run()
        let fingerprint = try StoredRows.fingerprint(of: path)
        try finish()
        return fingerprint
    }
}

extension RawStatement {
    /// Runs ``PersonSchema/insertStatement`` for a row.
    @inline(__always)
    func insert(_ person: PersonRow) throws {
        sqlite3_bind_int64(handle, 1, person.key)
        sqlite3_bind_int64(handle, 2, 1)
        handle.bind(person.email, at: 3)
        handle.bind(person.firstName, at: 4)
        handle.bind(person.lastName, at: 5)
        handle.bind(person.city, at: 6)
        sqlite3_bind_int64(handle, 7, Int64(person.age))
        sqlite3_bind_int64(handle, 8, Int64(person.visits))
        sqlite3_bind_double(handle, 9, person.score)
        sqlite3_bind_double(handle, 10, person.balance)
        sqlite3_bind_int(handle, 11, person.isActive ? 1 : 0)
        if let note = person.note {
            handle.bind(note, at: 12)
        } else {
            sqlite3_bind_null(handle, 12)
        }
        sqlite3_bind_int64(handle, 13, person.company)
        guard sqlite3_step(handle) == SQLITE_DONE else { throw connection.failure() }
        sqlite3_reset(handle)
    }
}
