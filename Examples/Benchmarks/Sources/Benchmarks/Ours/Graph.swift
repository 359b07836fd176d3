import RecordStack

/// The entities of the persons and their related objects.
enum Graph {
    @Entity final class Company: ManagedObject {
        @Attribute(.unique) var number: Int
        @Attribute var name: String
        @Relationship var persons: ToMany<Person>
    }

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
        @Relationship(inverse: \Company.persons) var company: Company?
        @Relationship(deleteRule: .cascade) var notes: ToMany<Note>
        @Relationship(inverse: \Tag.persons) var tags: ToMany<Tag>
    }

    @Entity final class Note: ManagedObject {
        @Attribute var text: String
        @Attribute var stars: Int
        @Relationship(inverse: \Person.notes) var person: Person?
    }

    @Entity final class Tag: ManagedObject {
        @Attribute(.unique) var name: String
        @Attribute var number: Int
        @Relationship var persons: ToMany<Person>
    }

    static func stack(at path: String) throws -> ContextStack {
        try ContextStack(
            for: Company.self, Person.self, Note.self, Tag.self, at: .file(path))
    }
}

extension GraphData {
    /// Creates a file with all objects.
    func makeStore(at path: String) throws {
        let stack = try Graph.stack(at: path)
        try stack.saveWithBlockAndWait { context in try insert(into: context) }
        try stack.close()
    }

    private func insert(into context: ManagedObjectContext) throws {
        let companies = try companies.map {
            try Graph.Company.create(in: context, number: $0.number, name: $0.name)
        }
        let tags = try tags.map {
            try Graph.Tag.create(in: context, name: $0.name, number: $0.number)
        }
        let people = try persons.map { row in
            try Graph.Person.create(
                in: context, email: row.email, firstName: row.firstName, lastName: row.lastName,
                city: row.city, age: row.age, visits: row.visits, score: row.score,
                balance: row.balance, isActive: row.isActive, note: row.note,
                company: companies[Int(row.company) - 1])
        }
        for row in notes {
            try Graph.Note.create(
                in: context, text: row.text, stars: row.stars, person: people[Int(row.person) - 1])
        }
        for row in links {
            people[Int(row.person) - 1].tags.insert(tags[Int(row.tag) - 1])
        }
    }
}
