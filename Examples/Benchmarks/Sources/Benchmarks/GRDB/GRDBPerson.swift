import GRDB

/// GRDB's fast record: a struct that reads its columns by index and writes them by name.
struct GRDBPerson: FetchableRecord, PersistableRecord {
    static let databaseTableName = "person"

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

    /// Reads a row whose columns are in the order of ``PersonSchema/columns``.
    init(row: Row) {
        key = row[0]
        version = row[1]
        email = row[2]
        firstName = row[3]
        lastName = row[4]
        city = row[5]
        age = row[6]
        visits = row[7]
        score = row[8]
        balance = row[9]
        isActive = row[10]
        note = row[11]
        company = row[12]
    }

    func encode(to container: inout PersistenceContainer) {
        container["_key"] = key
        container["_version"] = version
        container["email"] = email
        container["firstName"] = firstName
        container["lastName"] = lastName
        container["city"] = city
        container["age"] = age
        container["visits"] = visits
        container["score"] = score
        container["balance"] = balance
        container["isActive"] = isActive
        container["note"] = note
        container["company"] = company
    }
}

extension GRDBPerson {
    init(_ row: PersonRow) {
        key = row.key
        version = 1
        email = row.email
        firstName = row.firstName
        lastName = row.lastName
        city = row.city
        age = row.age
        visits = row.visits
        score = row.score
        balance = row.balance
        isActive = row.isActive
        note = row.note
        company = row.company
    }

    var row: PersonRow {
        PersonRow(
            key: key, email: email, firstName: firstName, lastName: lastName, city: city, age: age,
            visits: visits, score: score, balance: balance, isActive: isActive, note: note,
            company: company)
    }
}
