import Foundation
import RecordStack

/// The entities of the persons and their related objects, each with an identity for imports.
enum Nested {
    @Entity final class Company: ManagedObject {
        @Attribute(.unique) var number: Int
        @Attribute var name: String
        @Relationship(.notImported) var persons: ToMany<Person>
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
        @Relationship(.importing(members: .replace), deleteRule: .cascade) var notes: ToMany<Note>
        @Relationship(.importing(members: .replace), inverse: \Tag.persons) var tags: ToMany<Tag>
    }

    @Entity final class Note: ManagedObject {
        @Attribute(.unique) var number: Int
        @Attribute var text: String
        @Attribute var stars: Int
        @Relationship(.notImported, inverse: \Person.notes) var person: Person?
    }

    @Entity final class Tag: ManagedObject {
        @Attribute(.unique) var name: String
        @Attribute var number: Int
        @Relationship(.notImported) var persons: ToMany<Person>
    }

    static func stack(at path: String) throws -> ContextStack {
        try ContextStack(
            for: Company.self, Person.self, Note.self, Tag.self, at: .file(path))
    }

    static func load(_ text: Data, into stack: ContextStack) async throws -> ImportReport {
        try await stack.saveWithBlock { context in
            let report = try Person.importJSON(text, in: context)
            if let problem = report.problems.first { throw Failure("\(problem)") }
            return report
        }
    }

    /// Returns the fingerprint of all persons' notes and tags.
    static func fingerprint(of stack: ContextStack) throws -> Fingerprint {
        var fingerprint = Fingerprint()
        let context = stack.newContext()
        let people = try Person.find(
            prefetching: {
                $0.notes; $0.tags
            }, in: context)
        for person in people {
            for note in person.notes {
                fingerprint.add(
                    NoteRow(key: 0, text: note.text, stars: note.stars, person: 0), of: person.email
                )
            }
            for tag in person.tags {
                fingerprint.add(
                    TagRow(key: 0, name: tag.name, number: tag.number), of: person.email)
            }
        }
        return fingerprint
    }
}
