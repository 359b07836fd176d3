import GRDBSQLite

/// R2 for the tenth of the persons that lies first in the file.
final class FloorPartFetch: Contender {
    let name = "R2"
    private let statement: RawStatement
    private let count: Int

    init(_ lab: Lab) throws {
        count = lab.scale.changed
        statement = try RawStatement(
            "SELECT \(PersonSchema.columnList) FROM person LIMIT \(count)", on: lab.floor())
    }

    func run() throws {
        let (people, map) = try fetch()
        guard people.count == count && map.count == count else {
            throw Failure("R2 fetched \(people.count) rows and mapped \(map.count)")
        }
    }

    private func fetch() throws -> ([FloorPerson], [Int64: FloorPerson]) {
        let row = statement.handle
        var people: [FloorPerson] = []
        var map: [Int64: FloorPerson] = [:]
        map.reserveCapacity(count)
        while sqlite3_step(row) == SQLITE_ROW {
            let person = FloorPerson(row)
            people.append(person)
            map[person.key] = person
        }
        sqlite3_reset(row)
        return (people, map)
    }

    func fingerprint() throws -> Fingerprint {
        var fingerprint = Fingerprint()
        for person in try fetch().0 { fingerprint.add(person.row) }
        return fingerprint
    }
}
