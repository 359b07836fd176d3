import GRDBSQLite

/// **Ru**: a prepared upsert by the unique text in a loop, in one transaction.
///
/// The values are parsed before the run.
final class FloorUpserts: Contender {
    let name = "Ru"
    private let data: PersonData
    private let directory: WorkDirectory
    private let path: String
    private var upserts: RawUpserts?

    init(_ lab: Lab) {
        data = lab.data
        directory = lab.directory
        path = lab.directory.path("upsert-floor.sqlite")
    }

    func prepare() throws {
        try PersonSchema.makeStore(at: path, data, filled: false)
        upserts = try RawUpserts(path: path)
    }

    func run() throws { try upserts?.save(data.persons) }

    func finish() throws {
        upserts = nil
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

/// Upserts rows, each call in a transaction.
final class RawUpserts {
    private let statement: RawStatement

    init(path: String, autocheckpoint: Int = 0) throws {
        let connection = try RawConnection(
            path: path, pragmas: Pragma.all(autocheckpoint: autocheckpoint))
        statement = try RawStatement(PersonSchema.upsertStatement, on: connection)
    }

    func save(_ rows: [PersonRow]) throws {
        try statement.connection.execute("BEGIN IMMEDIATE")
        for row in rows { try statement.insert(row) }
        try statement.connection.execute("COMMIT")
    }
}

extension PersonSchema {
    static var upsertStatement: String {
        "\(insertStatement) ON CONFLICT(\"email\") DO UPDATE SET \"_version\" = \"_version\" + 1, \(changes)"
    }

    /// The columns that an upsert sets in an existing row.
    static var changes: String {
        columns.filter { !["_key", "_version", "email"].contains($0) }
            .map { "\"\($0)\" = excluded.\"\($0)\"" }.joined(separator: ", ")
    }
}
