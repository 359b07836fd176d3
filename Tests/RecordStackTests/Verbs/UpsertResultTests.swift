import RecordStack
import RecordStackTesting
import Testing

/// What upserts return on request.
@Suite struct UpsertResultTests {
    @Test func `the objects of rows come in their order, known and new and twice`() async throws {
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

    @Test func `IDs of rows come out of a block`() async throws {
        let test = try TestStack(for: Person.self)
        let ids = try await test.stack.upsert(
            Person.self, ["a", "b"], by: \.email, key: { $0 }, returning: .objectIDs
        ) { person, row, _ in person.name = row }
        let context = test.stack.newContext()
        #expect(try ids.map { try Person.existing($0, in: context).name } == ["a", "b"])
    }

    @Test func `rows of two attributes return their objects as well`() throws {
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

    @Test func `more rows than are looked up together have their objects`() throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let people = try Person.upsert(
            0..<2_500, by: \.email, key: { "\($0)" }, returning: .objects, in: context
        ) { person, number, _ in person.age = number }
        #expect(people.map(\.age) == (0..<2_500).map { $0 })
    }
}
