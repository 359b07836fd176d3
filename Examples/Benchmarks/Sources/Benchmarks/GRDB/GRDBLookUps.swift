import GRDB

/// `fetchOne(key:)` by the unique text, for all texts inside one read.
final class GRDBLookUps: Contender {
    let name = "GRDB"
    private let store: GRDBStore
    private let emails: [String]

    init(_ lab: Lab) throws {
        store = try lab.grdb()
        emails = lab.data.shuffledEmails
    }

    func run() throws {
        let found = try store.pool.read { database in
            var found = 0
            for email in emails
            where try GRDBPerson.fetchOne(database, key: ["email": email]) != nil {
                found += 1
            }
            return found
        }
        guard found == emails.count else { throw Failure("GRDB found \(found) rows") }
    }

    func fingerprint() throws -> Fingerprint {
        try store.pool.read { database in
            var fingerprint = Fingerprint()
            for email in emails {
                let person = try GRDBPerson.fetchOne(database, key: ["email": email])
                if let person { fingerprint.add(person.row) }
            }
            return fingerprint
        }
    }
}
