import RecordStack
import RecordStackTesting
import Testing

/// Objects and IDs that upserts return on request.
@Suite("Results of upserts") struct UpsertResultTests {
    @Test func `an upsert returns the objects of its rows in the order of the rows`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        try Team.create(in: context, title: "B")
        try await context.save()
        let teams = try Team.upsert(
            ["A", "B", "A"], by: \.title, key: { $0 }, returning: .objects, in: context
        ) { _, _, _ in }
        #expect(teams.map(\.title) == ["A", "B", "A"])
        #expect(teams[0] == teams[2])
        #expect(try Team.count(in: context) == 2)
    }

    @Test func `a stack's upsert returns the IDs of its rows`() async throws {
        let test = try TestStack(for: Person.self)
        let ids = try await test.stack.upsert(
            Person.self, ["a", "b"], by: \.email, key: { $0 }, returning: .objectIDs
        ) { person, row, _ in person.name = row }
        let context = test.stack.newContext()
        #expect(try ids.map { try Person.existing($0, in: context).name } == ["a", "b"])
    }

    @Test func `an upsert by two attributes returns objects or IDs`() throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let rows = [("a", "Ann"), ("b", "Ann")]
        let people = try Person.upsert(
            rows, by: \.email, \.name, key: { ($0.0, $0.1) }, returning: .objects, in: context
        ) { person, _, isNew in person.isActive = isNew }
        #expect(people.map(\.email) == ["a", "b"])
        #expect(
            try Person.upsert(
                rows, by: \.email, \.name, key: { ($0.0, $0.1) }, returning: .objectIDs, in: context
            ) { _, _, _ in } == people.map(\.objectID))
    }

    @Test func `an upsert of 2,500 rows returns the object of each row`() throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let people = try Person.upsert(
            0..<2_500, by: \.email, key: { "\($0)" }, returning: .objects, in: context
        ) { person, number, _ in person.age = number }
        #expect(people.map(\.age) == (0..<2_500).map { $0 })
    }
}
