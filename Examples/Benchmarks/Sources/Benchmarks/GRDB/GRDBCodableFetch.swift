import GRDB

/// Fetches all rows into Codable records.
final class GRDBCodableFetch: Contender {
    let name = "GRDB Codable"
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

    private func fetch() throws -> [GRDBCodablePerson] {
        try store.pool.read { try GRDBCodablePerson.fetchAll($0) }
    }

    func fingerprint() throws -> Fingerprint {
        var fingerprint = Fingerprint()
        for person in try fetch() { fingerprint.add(person.row) }
        return fingerprint
    }
}
