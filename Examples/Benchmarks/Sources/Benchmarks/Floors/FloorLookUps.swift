import GRDBSQLite

/// A prepared SELECT by the unique text for each of the shuffled texts, each an R1 object.
final class FloorLookUps: Contender {
    let name = "prepared"
    private let statement: RawStatement
    private let emails: [String]

    init(_ lab: Lab) throws {
        statement = try RawStatement(
            "SELECT \(PersonSchema.columnList) FROM person WHERE \"email\" = ?", on: lab.floor())
        emails = lab.data.shuffledEmails
    }

    func run() throws {
        var found = 0
        for email in emails where try find(email) != nil { found += 1 }
        guard found == emails.count else { throw Failure("prepared found \(found) rows") }
    }

    @inline(__always)
    private func find(_ email: String) throws -> FloorPerson? {
        let row = statement.handle
        row.bind(email, at: 1)
        defer { sqlite3_reset(row) }
        switch sqlite3_step(row) {
        case SQLITE_ROW: return FloorPerson(row)
        case SQLITE_DONE: return nil
        default: throw statement.connection.failure()
        }
    }

    func fingerprint() throws -> Fingerprint {
        var fingerprint = Fingerprint()
        for email in emails {
            if let person = try find(email) { fingerprint.add(person.row) }
        }
        return fingerprint
    }
}
