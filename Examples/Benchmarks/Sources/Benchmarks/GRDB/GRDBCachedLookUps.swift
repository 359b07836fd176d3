import GRDB

/// GRDB with hand-written SQL and a cached statement.
///
/// It has no gate. It is included because readers who know GRDB expect it.
final class GRDBCachedLookUps: Contender {
    let name = "GRDB cached SQL"
    private let store: GRDBStore
    private let emails: [String]

    init(_ lab: Lab) throws {
        store = try lab.grdb()
        emails = lab.data.shuffledEmails
    }

    func run() throws {
        var found = 0
        try forEach { _ in found += 1 }
        guard found == emails.count else { throw Failure("GRDB found \(found) rows") }
    }

    private func forEach(_ body: (GRDBPerson) -> Void) throws {
        try store.pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(PersonSchema.columnList) FROM person WHERE \"email\" = ?")
            for email in emails {
                let person = try GRDBPerson.fetchOne(statement, arguments: [email])
                if let person { body(person) }
            }
        }
    }

    func fingerprint() throws -> Fingerprint {
        var fingerprint = Fingerprint()
        try forEach { fingerprint.add($0.row) }
        return fingerprint
    }
}
