import RecordStack
import RecordStackTesting
import Testing

/// Key paths to the number of a relationship's members.
@Suite("Sorting by member count") struct SortByCountTests {
    private func leagues() throws -> (TestStack, ManagedObjectContext) {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        for (title, number) in [("A", 1), ("B", 3), ("C", 2)] {
            let team = try Team.create(in: context, title: title)
            for place in 0..<number {
                try Person.create(in: context, email: "\(title)\(place)", team: team)
            }
        }
        return (test, context)
    }

    @Test(arguments: [false, true])
    func `objects sort by the number of members, stored or pending`(isSaved: Bool) async throws {
        let (_, context) = try leagues()
        if isSaved { try await context.save() }
        #expect(
            try Team.find(sortedBy: .descending(\.members.count), in: context).map(\.title)
                == ["B", "C", "A"])
        #expect(
            try Team.find(
                sortedBy: [.ascending(\.members.count), .ascending(\.title)], in: context
            )
            .map(\.title) == ["A", "C", "B"])
        #expect(
            try Team.find(sortedBy: .ascending { $0.members.count }, in: context).map(\.title)
                == ["A", "C", "B"])
    }

    @Test func `objects sort by the member count of an inherited ordered relationship`()
        async throws
    {
        let test = try TestStack(for: Pantry.self, Sideboard.self, Jar.self)
        let context = test.stack.newContext()
        for number in [2, 0, 1] {
            let cabinet = try Sideboard.create(in: context, number: number)
            for _ in 0..<number { cabinet.jars.append(try Jar.create(in: context)) }
        }
        try await context.save()
        #expect(
            try Sideboard.find(sortedBy: .ascending(\.jars.count), in: context).map(\.number)
                == [0, 1, 2])
        #expect(
            try Pantry.find(sortedBy: .descending(\.jars.count), in: context).map(\.number)
                == [2, 1, 0])
    }

    @Test func `sorting by a Swift key path through a relationship throws with advice`() throws {
        let (_, context) = try leagues()
        let error = #expect(throws: RecordStackError.self) {
            try Person.find(sortedBy: .ascending(\.team?.title), in: context)
        }
        #expect(error?.code == .misuse)
        #expect(error?.message.contains(".ascending { $0.parent.name }") == true)
        #expect(
            try Person.find(sortedBy: .descending { $0.team.title }, in: context).first?.email
                .hasPrefix("C") == true)
    }
}

@Entity class Pantry: ManagedObject {
    var number: Int
    var jars: OrderedToMany<Jar>
}

@Entity final class Sideboard: Pantry {}

@Entity final class Jar: ManagedObject {
    @Relationship(inverse: \Pantry.jars) var pantry: Pantry?
}
