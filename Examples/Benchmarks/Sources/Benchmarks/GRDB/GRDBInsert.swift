import GRDB

/// `insert` of records that were created beforehand, in one write transaction.
final class GRDBInsert: Contender {
    let name = "GRDB"
    private let data: PersonData
    private let directory: WorkDirectory
    private let path: String
    private let records: [GRDBPerson]
    private var store: GRDBStore?

    init(_ lab: Lab) {
        data = lab.data
        directory = lab.directory
        path = lab.directory.path("insert-grdb.sqlite")
        records = lab.data.persons.map { GRDBPerson($0) }
    }

    func prepare() throws {
        try PersonSchema.makeStore(at: path, data, filled: false)
        store = try GRDBStore(path: path)
    }

    func run() throws {
        try store?.pool.write { database in
            for record in records { try record.insert(database) }
        }
    }

    func finish() throws {
        try store?.close()
        store = nil
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
