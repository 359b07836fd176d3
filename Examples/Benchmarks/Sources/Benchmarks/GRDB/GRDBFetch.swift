import GRDB

/// Fetches all rows into structs that read columns by index.
final class GRDBFetch: Contender {
    let name = "GRDB struct"
    private let store: GRDBStore
    private let count: Int

    init(_ lab: Lab) throws {
        store = try lab.grdb()
        count = lab.scale.persons
    }

    func run() throws {
        let people = try fetch()
        guard people.count == count else { throw Failure("GRDB fetched \(people.count) rows") }
    }

    private func fetch() throws -> [GRDBPerson] {
        try store.pool.read { try GRDBPerson.fetchAll($0) }
    }

    func fingerprint() throws -> Fingerprint {
        var fingerprint = Fingerprint()
        for person in try fetch() { fingerprint.add(person.row) }
        return fingerprint
    }
}
