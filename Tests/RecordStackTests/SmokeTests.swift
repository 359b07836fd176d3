import RecordStack
import Testing

@Suite("Smoke test") struct SmokeTests {
    @Test func `saved objects are found by ID, by filter and by superentity`() async throws {
        let stack = try ContextStack(for: Person.self, Animal.self, Dog.self, at: .inMemory)
        let id = try await stack.saveWithBlock { context in
            let team = try Team.create(in: context, title: "A")
            let ann = try Person.create(
                in: context, email: "ann@example.org", name: "Ann", team: team)
            try Person.create(in: context, email: "bob@example.org").age = 20
            try Dog.create(in: context, breed: "Dachshund").name = "Rex"
            try Animal.create(in: context, name: "Cat")
            #expect(team.members.count == 1)
            return ann.objectID
        }
        let names = try await stack.read { context in
            let ann = try Person.existing(id, in: context)
            #expect(ann.team?.title == "A")
            #expect(ann.team?.members.count == 1)
            #expect(try Animal.count(in: context) == 2)
            #expect(try Dog.find(in: context).map(\.name) == ["Rex"])
            #expect(try Animal.find(in: context).map { "\(type(of: $0))" } == ["Dog", "Animal"])
            return try Person.find(sortedBy: .descending(\.email), in: context) {
                $0.team.title == "A" || $0.age >= 18
            }.map(\.email)
        }
        #expect(names == ["bob@example.org", "ann@example.org"])
    }
}
