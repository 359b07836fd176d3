import RecordStack

@Entity final class Person: ManagedObject {
    @Attribute(.unique) var email: String
    @Attribute var firstName: String
    @Attribute var lastName: String
    @Attribute var city: String
    @Attribute var age: Int
    @Attribute var visits: Int
    @Attribute var score: Double
    @Attribute var balance: Double
    @Attribute var isActive: Bool
    @Attribute var note: String?
    @Attribute var company: Int64
}

extension Person {
    /// The row of the object, without the key, because each store numbers its own rows.
    var row: PersonRow {
        PersonRow(
            key: 0, email: email, firstName: firstName, lastName: lastName, city: city, age: age,
            visits: visits, score: score, balance: balance, isActive: isActive, note: note,
            company: company)
    }

    @discardableResult
    static func insert(_ row: PersonRow, in context: ManagedObjectContext) throws -> Person {
        try create(
            in: context, email: row.email, firstName: row.firstName, lastName: row.lastName,
            city: row.city, age: row.age, visits: row.visits, score: row.score,
            balance: row.balance, isActive: row.isActive, note: row.note, company: row.company)
    }
}

extension Fingerprint {
    init(of persons: [Person]) {
        self.init()
        for person in persons { add(person.row) }
    }
}
