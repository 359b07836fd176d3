import GRDBSQLite

/// **raw**: three prepared DELETEs for each person, for the links, the notes and the person.
///
/// They run in one transaction, without versions or a token.
final class RawDeletion: Contender {
    let name = "raw"
    private let directory: WorkDirectory
    private let count: Int
    private let source: String
    private let path: String
    private var connection: RawConnection?
    private var statements: [RawStatement] = []
    private var people: [FloorPerson] = []

    init(_ lab: Lab) throws {
        directory = lab.directory
        count = lab.scale.changed
        source = try lab.graphStore()
        path = lab.directory.path("deletion-raw.sqlite")
    }

    /// Copies the file, and reads the objects to delete.
    func prepare() throws {
        try directory.copyStore(source, to: path)
        let connection = try RawConnection(path: path)
        people = try FloorPerson.first(count, on: connection)
        statements = try [
            "DELETE FROM person_tag WHERE \"person\" = ?", "DELETE FROM note WHERE \"person\" = ?",
            "DELETE FROM person WHERE \"_key\" = ?",
        ].map { try RawStatement($0, on: connection) }
        self.connection = connection
    }

    func run() throws {
        guard let connection else { return }
        try connection.execute("BEGIN IMMEDIATE")
        for person in people {
            for statement in statements {
                sqlite3_bind_int64(statement.handle, 1, person.key)
                try statement.run()
            }
        }
        try connection.execute("COMMIT")
    }

    func finish() throws {
        people = []
        statements = []
        connection = nil
        directory.removeStore(path)
    }

    func fingerprint() throws -> Fingerprint {
        try prepare()
        try run()
        let fingerprint = try StoredGraph.floor.fingerprint(of: path)
        try finish()
        return fingerprint
    }
}
