import GRDBSQLite

/// The floors' object for a company.
final class FloorCompany {
    let key: Int64
    let number: Int
    let name: String
    var persons: [FloorPerson] = []

    @inline(__always)
    init(_ row: OpaquePointer) {
        key = sqlite3_column_int64(row, 0)
        number = Int(sqlite3_column_int64(row, 1))
        name = row.text(2)
    }
}

/// **R2, 2 SELECTs**: reads all companies and all persons by one statement each.
///
/// Both go into maps from key to object, and each person is appended to its company's array. The
/// run then walks the arrays and drops everything.
final class FloorCompanyWalk: Contender {
    let name = "R2, 2 SELECTs"
    private let companies: RawStatement
    private let persons: RawStatement
    private let count: Int

    init(_ lab: Lab) throws {
        let connection = try RawConnection(path: try lab.graphStore())
        let columns = PersonSchema.columns.map { $0 == "_version" ? "1" : "\"\($0)\"" }
        companies = try RawStatement(
            "SELECT \"_key\", \"number\", \"name\" FROM company", on: connection)
        persons = try RawStatement(
            "SELECT \(columns.joined(separator: ", ")) FROM person", on: connection)
        count = lab.scale.persons
    }

    private struct Found {
        var companies: [FloorCompany] = []
        var companiesByKey: [Int64: FloorCompany] = [:]
        var personsByKey: [Int64: FloorPerson] = [:]
    }

    private func fetch() throws -> Found {
        var found = Found()
        found.companiesByKey.reserveCapacity(GraphData.companyCount)
        found.personsByKey.reserveCapacity(count)
        try companies.eachRow { row in
            let company = FloorCompany(row)
            found.companies.append(company)
            found.companiesByKey[company.key] = company
        }
        try persons.eachRow { row in
            let person = FloorPerson(row)
            found.personsByKey[person.key] = person
            found.companiesByKey[person.company]?.persons.append(person)
        }
        return found
    }

    func run() throws {
        var (sum, met) = (0, 0)
        for company in try fetch().companies {
            for person in company.persons {
                sum &+= person.age
                met += 1
            }
        }
        guard met == count, sum > 0 else { throw Failure("R2 met \(met) persons") }
    }

    func fingerprint() throws -> Fingerprint {
        var fingerprint = Fingerprint()
        for company in try fetch().companies {
            for person in company.persons {
                var row = person.row
                row.company = Int64(company.number)
                fingerprint.add(row)
            }
        }
        return fingerprint
    }
}

extension RawStatement {
    /// Calls a closure with each row.
    @inline(__always)
    func eachRow(_ body: (OpaquePointer) -> Void) throws {
        var code = sqlite3_step(handle)
        while code == SQLITE_ROW {
            body(handle)
            code = sqlite3_step(handle)
        }
        sqlite3_reset(handle)
        guard code == SQLITE_DONE else { throw connection.failure() }
    }

    /// Returns the rows as R1 objects.
    @inline(__always)
    func people() throws -> [FloorPerson] {
        var people: [FloorPerson] = []
        try eachRow { people.append(FloorPerson($0)) }
        return people
    }
}
