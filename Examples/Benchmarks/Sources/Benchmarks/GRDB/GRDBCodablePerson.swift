import GRDB

/// GRDB's usual record: a Codable type.
struct GRDBCodablePerson: Codable, FetchableRecord, TableRecord {
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

    enum CodingKeys: String, CodingKey {
        case key = "_key"
        case version = "_version"
        case email, firstName, lastName, city, age, visits, score, balance, isActive, note, company
    }

    var row: PersonRow {
        PersonRow(
            key: key, email: email, firstName: firstName, lastName: lastName, city: city, age: age,
            visits: visits, score: score, balance: balance, isActive: isActive, note: note,
            company: company)
    }
}
