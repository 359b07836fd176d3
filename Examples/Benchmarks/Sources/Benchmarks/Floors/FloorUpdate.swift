import GRDBSQLite

/// **prepared UPDATEs**: a prepared one-column UPDATE by key in a loop, in one transaction.
///
/// The objects get the new values as well. The table has no versions, and there is no token.
final class FloorUpdate: Contender {
    let name = "prepared UPDATEs"
    private let change: VisitChange
    private let path: String
    private var connection: RawConnection?
    private var statement: RawStatement?
    private var people: [FloorPerson] = []

    init(_ lab: Lab, _ change: VisitChange) throws {
        self.change = change
        path = lab.directory.path("update-floor.sqlite")
        try PersonSchema.makePlainStore(at: path, filledWith: lab.data)
    }

    /// Changes the values once before the run.
    ///
    /// The connection then has the pages in its cache, as if it had been open for a while.
    func prepare() throws {
        let connection = try RawConnection(path: path)
        self.connection = connection
        statement = try RawStatement(
            "UPDATE person SET \"visits\" = ? WHERE \"_key\" = ?", on: connection)
        people = try FloorPerson.first(change.count, on: connection)
        try update(to: change.visitsBefore)
    }

    func run() throws {
        try update(to: change.visits)
    }

    private func update(to visits: [Int]) throws {
        guard let statement, let connection else { return }
        let handle = statement.handle
        try connection.execute("BEGIN IMMEDIATE")
        for index in people.indices {
            let person = people[index]
            person.visits = visits[index]
            sqlite3_bind_int64(handle, 1, Int64(person.visits))
            sqlite3_bind_int64(handle, 2, person.key)
            try statement.run()
        }
        try connection.execute("COMMIT")
    }

    /// Closes the last connection, which writes the log back.
    func finish() throws {
        people = []
        statement = nil
        connection = nil
    }

    func fingerprint() throws -> Fingerprint {
        try prepare()
        try run()
        try finish()
        return try StoredRows.fingerprint(of: path)
    }
}
