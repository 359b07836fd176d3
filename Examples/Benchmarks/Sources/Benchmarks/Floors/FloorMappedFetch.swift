import GRDBSQLite

/// **R2**: R1 and a map from key to object, the minimum of an identity map.
final class FloorMappedFetch: Contender {
    let name = "R2"
    private let statement: RawStatement
    private let count: Int

    /// Prepares the fetch.
    ///
    /// - Parameter count: the number of persons, from the first in the file; nil for all persons.
    init(_ lab: Lab, first count: Int? = nil) throws {
        let limit = count.map { " LIMIT \($0)" } ?? ""
        statement = try RawStatement(
            "SELECT \(PersonSchema.columnList) FROM person" + limit, on: lab.floor())
        self.count = count ?? lab.scale.persons
    }

    func run() throws {
        var (people, map) = try fetch()
        guard people.count == count && map.count == count else {
            throw Failure("R2 fetched \(people.count) rows and mapped \(map.count)")
        }
        // The map is dropped first, so that the array frees the objects in the order of their
        // creation. The opposite order costs a third more.
        map = [:]
        people = []
    }

    func fetch() throws -> ([FloorPerson], [Int64: FloorPerson]) {
        let row = statement.handle
        var people: [FloorPerson] = []
        var map: [Int64: FloorPerson] = [:]
        map.reserveCapacity(count)
        var code = sqlite3_step(row)
        while code == SQLITE_ROW {
            let person = FloorPerson(row)
            people.append(person)
            map[person.key] = person
            code = sqlite3_step(row)
        }
        sqlite3_reset(row)
        guard code == SQLITE_DONE else { throw statement.connection.failure() }
        return (people, map)
    }

    func fingerprint() throws -> Fingerprint {
        var fingerprint = Fingerprint()
        let (people, map) = try fetch()
        for person in people where map[person.key] === person { fingerprint.add(person.row) }
        return fingerprint
    }
}
