import GRDBSQLite

/// **DELETE FROM**, which frees the pages as a whole, or **DELETE by IDs**.
///
/// The latter reads all keys with one statement, and deletes the rows of a list of keys with
/// another one. Each runs in one transaction, without versions or a token.
final class RawEmptying: Contender {
    let name: String
    private let directory: WorkDirectory
    private let source: String
    private let path: String
    private let isByKeys: Bool
    private var connection: RawConnection?
    private var keys: RawStatement?
    private var deletion: RawStatement?

    init(_ lab: Lab, byKeys: Bool) throws {
        name = byKeys ? "DELETE by IDs" : "DELETE FROM"
        directory = lab.directory
        source = lab.directory.path("emptying-floor-\(byKeys).sqlite")
        path = lab.directory.path("emptying-raw-\(byKeys).sqlite")
        isByKeys = byKeys
        try PersonSchema.makePlainStore(at: source, filledWith: lab.data)
    }

    func prepare() throws {
        try directory.copyStore(source, to: path)
        let connection = try RawConnection(path: path)
        let byKeys = "DELETE FROM person WHERE \"_key\" IN (SELECT value FROM json_each(?))"
        keys = try RawStatement("SELECT \"_key\" FROM person", on: connection)
        deletion = try RawStatement(isByKeys ? byKeys : "DELETE FROM person", on: connection)
        self.connection = connection
    }

    func run() throws {
        guard let connection, let deletion else { return }
        if isByKeys {
            var found: [Int64] = []
            try keys?.eachRow { found.append(sqlite3_column_int64($0, 0)) }
            let list = "[" + found.map(String.init).joined(separator: ",") + "]"
            deletion.handle.bind(list, at: 1)
        }
        try connection.execute("BEGIN IMMEDIATE")
        try deletion.run()
        try connection.execute("COMMIT")
    }

    func finish() {
        keys = nil
        deletion = nil
        connection = nil
        directory.removeStore(path)
    }

    func fingerprint() throws -> Fingerprint {
        try prepare()
        try run()
        keys = nil
        deletion = nil
        connection = nil
        defer { directory.removeStore(path) }
        return try StoredRows.fingerprint(of: path)
    }
}
