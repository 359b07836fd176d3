import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// `create(from:)`, which creates an object for each row.
@Suite("Creating many objects") struct CreatingManyTests {
    private struct Row: Sendable {
        let mail: String
        let name: String
    }

    private struct Refused: Error {}

    private let test: TestStack
    private let rows = (0..<300).map { Row(mail: "p\($0)", name: "n\($0 % 7)") }

    init() throws {
        test = try TestStack(for: Person.self)
    }

    @Test func `create(from:) creates an object for each row, and a save inserts them`() throws {
        let context = test.stack.newContext()
        let people = try Person.create(from: rows, in: context) { person, row in
            person.email = row.mail
            person.name = row.name
        }
        #expect(people.map(\.email) == rows.map(\.mail) && people[8].name == "n1")
        #expect(people.allSatisfy { $0.objectState == .pending })
        var written = SaveSummary()
        written.inserted = 300
        #expect(try context.saveAndWait() == .saved(written))
        // The rows can be any sequence of any type.
        let more = try context.create(
            Person.self, from: sequence(first: 1) { $0 < 4 ? $0 * 2 : nil }
        ) {
            $0.email = "m\($1)"
        }
        #expect(more.map(\.email) == ["m1", "m2", "m4"])
    }

    @Test func `create(from:) without rows does nothing`() async throws {
        let context = test.stack.newContext()
        try await test.expectStatements(0) {
            #expect(try Person.create(from: [Row](), in: context) { _, _ in }.isEmpty)
            #expect(!context.hasChanges)
            let ids = try await test.stack.create(Person.self, from: [Row]()) { _, _ in }
            #expect(ids.isEmpty)
        }
    }

    @Test
    func `if create(from:) throws, a context keeps its new objects, a stack none`() async throws {
        let context = test.stack.newContext()
        #expect(throws: Refused.self) {
            try Person.create(from: rows, in: context) { person, row in
                if row.mail == "p3" { throw Refused() }
                person.email = row.mail
            }
        }
        #expect(context.insertedObjects.count == 4)
        context.rollback()
        await #expect(throws: Refused.self) {
            try await test.stack.create(Person.self, from: rows) { person, row in
                person.email = row.mail
                if row.mail == "p3" { throw Refused() }
            }
        }
        // Two rows with one unique value insert nothing, too.
        await #expect(throws: RecordStackError.self) {
            try await test.stack.create(Person.self, from: ["a", "b", "a"]) { $0.email = $1 }
        }
        #expect(try Person.count(in: context) == 0)
    }

    @MainActor @Test
    func `a stack's create(from:) inserts the rows, and contexts show them`() async throws {
        let stack = test.stack
        let context = stack.defaultContext
        #expect(try Person.count(in: context) == 0)
        let ids = try await stack.create(Person.self, from: rows) { person, row in
            person.email = row.mail
        }
        #expect(ids.count == 300)
        #expect(try ids.map { try Person.existing($0, in: context).email } == rows.map(\.mail))
    }

    @Test func `createAndWait inserts the rows, and throws inside a save block`() throws {
        var order: [String] = []
        let ids = try test.stack.createAndWait(Person.self, from: rows) { person, row in
            person.email = row.mail
        }
        let context = test.stack.newContext()
        for id in ids { order.append(try Person.existing(id, in: context).email) }
        #expect(order == rows.map(\.mail))
        let error = #expect(throws: RecordStackError.self) {
            try test.stack.saveWithBlockAndWait { [stack = test.stack] _ in
                _ = try stack.createAndWait(Person.self, from: [1]) { $0.email = "\($1)" }
            }
        }
        #expect(error?.code == .misuse)
    }

    private final class Mutable {
        var name = "x"
    }

    @Test func `create(from:) accepts rows that are not Sendable`() async throws {
        var rows = (0..<3).map { _ in Mutable() }
        rows[1].name = "y"
        let taken = rows
        rows = []
        try await test.stack.create(Person.self, from: taken) { person, row in
            row.name += "!"
            person.email = "\(row.name)\(person.objectID.key)"
        }
        let context = test.stack.newContext()
        #expect(try Person.count(in: context) { $0.email.hasPrefix("x!") } == 2)
    }
}
