import GRDBSQLite

/// The floors' object for a person: a final class with stored properties.
///
/// It is filled by typed reads of the columns in the order of ``PersonSchema/columns``.
final class FloorPerson {
    var key: Int64
    var version: Int64
    var email: String
    var firstName: String
    var lastName: String
    var city: String
    var age: Int
    var visits: Int
    var score: Double
    var balance: Double
    var isActive: Bool
    var note: String?
    var company: Int64

    @inline(__always)
    init(_ statement: OpaquePointer) {
        key = sqlite3_column_int64(statement, 0)
        version = sqlite3_column_int64(statement, 1)
        email = statement.text(2)
        firstName = statement.text(3)
        lastName = statement.text(4)
        city = statement.text(5)
        age = Int(sqlite3_column_int64(statement, 6))
        visits = Int(sqlite3_column_int64(statement, 7))
        score = sqlite3_column_double(statement, 8)
        balance = sqlite3_column_double(statement, 9)
        isActive = sqlite3_column_int(statement, 10) != 0
        note = statement.optionalText(11)
        company = sqlite3_column_int64(statement, 12)
    }

    /// Returns the persons with the smallest keys, from a table without versions.
    static func first(_ count: Int, on connection: RawConnection) throws -> [FloorPerson] {
        let columns = PersonSchema.columns.map { $0 == "_version" ? "1" : "\"\($0)\"" }
        let select = try RawStatement(
            "SELECT \(columns.joined(separator: ", ")) FROM person ORDER BY \"_key\" "
                + "LIMIT \(count)", on: connection)
        var people: [FloorPerson] = []
        while sqlite3_step(select.handle) == SQLITE_ROW {
            people.append(FloorPerson(select.handle))
        }
        return people
    }

    var row: PersonRow {
        PersonRow(
            key: key, email: email, firstName: firstName, lastName: lastName, city: city, age: age,
            visits: visits, score: score, balance: balance, isActive: isActive, note: note,
            company: company)
    }
}
