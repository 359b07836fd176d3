import Foundation
import GRDB

/// Decodes structs with JSONDecoder, then upserts records with GRDB in one write transaction.
final class GRDBImport: Contender {
    let name = "JSONDecoder + GRDB"
    private let data: PersonData
    private let text: Data
    private let directory: WorkDirectory
    private let path: String
    private var store: GRDBStore?

    init(_ lab: Lab) {
        data = lab.data
        text = lab.personJSON
        directory = lab.directory
        path = lab.directory.path("import-grdb.sqlite")
    }

    func prepare() throws {
        try PersonSchema.makeStore(at: path, data, filled: false)
        store = try GRDBStore(path: path)
    }

    func run() throws {
        let persons = try JSONDecoder().decode([DecodedPerson].self, from: text)
        try store?.pool.write { database in
            for (place, person) in persons.enumerated() {
                try GRDBPerson(person.row(key: Int64(place + 1))).upsert(database)
            }
        }
    }

    func finish() throws {
        try store?.close()
        store = nil
        directory.removeStore(path)
    }

    func fingerprint() throws -> Fingerprint {
        try prepare()
        try run()
        let fingerprint = try StoredRows.fingerprint(of: path)
        try finish()
        return fingerprint
    }
}

private struct DecodedPerson: Decodable {
    let email: String
    let firstName: String
    let lastName: String
    let city: String
    let age: Int
    let visits: Int
    let score: Double
    let balance: Double
    let isActive: Bool
    let note: String?
    let company: Int64

    func row(key: Int64) -> PersonRow {
        PersonRow(
            key: key, email: email, firstName: firstName, lastName: lastName, city: city, age: age,
            visits: visits, score: score, balance: balance, isActive: isActive, note: note,
            company: company)
    }
}
