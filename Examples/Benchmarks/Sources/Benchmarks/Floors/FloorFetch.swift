import GRDBSQLite

/// **R1**: steps through all rows and creates an object from each.
final class FloorFetch: Contender {
    let name = "R1"
    private let statement: RawStatement
    private let count: Int

    init(_ lab: Lab) throws {
        statement = try RawStatement(
            "SELECT \(PersonSchema.columnList) FROM person", on: lab.floor())
        count = lab.scale.persons
    }

    func run() throws {
        let people = try fetch()
        guard people.count == count else { throw Failure("R1 fetched \(people.count) rows") }
    }

    func fetch() throws -> [FloorPerson] {
        let row = statement.handle
        var people: [FloorPerson] = []
        var code = sqlite3_step(row)
        while code == SQLITE_ROW {
            people.append(FloorPerson(row))
            code = sqlite3_step(row)
        }
        sqlite3_reset(row)
        guard code == SQLITE_DONE else { throw statement.connection.failure() }
        return people
    }

    func fingerprint() throws -> Fingerprint {
        var fingerprint = Fingerprint()
        for person in try fetch() { fingerprint.add(person.row) }
        return fingerprint
    }
}
