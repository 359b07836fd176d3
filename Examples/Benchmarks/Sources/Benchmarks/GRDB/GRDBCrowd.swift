import GRDB

/// A DatabasePool, for which SQLite writes the log back at the same number of pages as RecordStack.
final class GRDBCrowd: Crowd {
    let name = "GRDB"
    private let store: GRDBStore
    private let windows: EmailWindows

    init(_ lab: Lab) throws {
        windows = EmailWindows(lab)
        let path = lab.directory.path("crowd-grdb.sqlite")
        try PersonSchema.makeStore(at: path, lab.data, filled: true)
        store = try GRDBStore(path: path, autocheckpoint: 1_000)
    }

    func makeReader(seed: UInt64) -> () throws -> Int {
        var generator = SplitMix64(seed: seed)
        return { [windows, store] in
            let window = windows.random(&generator)
            let email = Column("email")
            let request = GRDBPerson.filter(email >= window.lowerBound && email < window.upperBound)
                .order(Column("_key"))
            return try store.pool.read { try request.fetchAll($0) }.count
        }
    }

    func makeWriter() throws -> () throws -> Void {
        var persons = try store.pool.read { try GRDBPerson.limit(1_000).fetchAll($0) }
        var place = 0
        return { [store] in
            let index = place % persons.count
            persons[index].visits += 1
            place += 1
            let person = persons[index]
            try store.pool.write { try person.update($0, columns: ["visits"]) }
        }
    }

    func rows() throws -> [PersonRow] {
        try store.pool.read { try GRDBPerson.fetchAll($0).map(\.row) }
    }
}
