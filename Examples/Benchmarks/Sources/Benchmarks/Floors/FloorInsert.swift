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
        bindValues(of: person, from: 3)
        try run()
    }

    /// Runs ``PersonSchema/plainInsertStatement`` for a row.
    @inline(__always)
    func insertPlain(_ person: PersonRow) throws {
        sqlite3_bind_int64(handle, 1, person.key)
        bindValues(of: person, from: 2)
        try run()
    }

    /// Runs a statement that returns no rows.
    @inline(__always)
    func run() throws {
        guard sqlite3_step(handle) == SQLITE_DONE else { throw connection.failure() }
        sqlite3_reset(handle)
    }

    @inline(__always)
    private func bindValues(of person: PersonRow, from index: Int32) {
        handle.bind(person.email, at: index)
        handle.bind(person.firstName, at: index + 1)
        handle.bind(person.lastName, at: index + 2)
        handle.bind(person.city, at: index + 3)
        sqlite3_bind_int64(handle, index + 4, Int64(person.age))
        sqlite3_bind_int64(handle, index + 5, Int64(person.visits))
        sqlite3_bind_double(handle, index + 6, person.score)
        sqlite3_bind_double(handle, index + 7, person.balance)
        sqlite3_bind_int(handle, index + 8, person.isActive ? 1 : 0)
        if let note = person.note {
            handle.bind(note, at: index + 9)
        } else {
            sqlite3_bind_null(handle, index + 9)
        }
        sqlite3_bind_int64(handle, index + 10, person.company)
    }
}
