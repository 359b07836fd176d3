import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Keys and rows that a merge reads in two steps, while another stack deletes one of the rows.
@MainActor @Suite("Reads during remote deletions") struct KeysReadApartTests {
    private func move(_ people: [ManagedObjectID], to team: String, in stack: ContextStack)
        async throws
    {
        try await stack.saveWithBlock { context in
            let team = try #require(try Team.findFirst(by: \.title, team, in: context))
            for id in people { try Person.existing(id, in: context).team = team }
        }
    }

    @Test func `a count during another stack's save shows one state of the store`() async throws {
        let gate = Gate()
        defer { gate.openForGood() }
        var options = gate.options
        options.remoteSaveInterval = nil
        let test = try TestStack(
            entities: [Person.self, Team.self], at: .temporaryFile, options: options)
        let stack = test.stack
        try test.seed { context in
            try Person.create(in: context, email: "first")
            let (a, _) = (
                try Team.create(in: context, title: "A"), try Team.create(in: context, title: "B")
            )
            for number in 0..<200 { try Person.create(in: context, email: "\(number)").team = a }
        }
        let context = stack.defaultContext
        let people = try Person.find(in: context, where: { $0.email != "first" })
        let first = try #require(try Person.objectIDs(in: stack.newContext()).first)
        let team = try #require(try Team.findFirst(by: \.title, "A", in: context))
        // The context keeps the members' keys, and reads no rows the next time.
        #expect(try context.deletionPlan(for: team).nullifications.count == 200)
        try await move(people.map(\.objectID), to: "B", in: stack)
        #expect(try Person.count(in: context) == 201)
        try team.delete()
        try await move([first] + people.map(\.objectID), to: "A", in: stack)
        let other = try ContextStack(
            for: Person.self, Team.self, at: .file(#require(test.path)), options: .hearingOfNobody)
        gate.close(at: #"SELECT t0."_key",t0."_version",t0."email"#)
        Task.detached {
            await gate.waitUntilHeld()
            try? await other.saveWithBlock { try Person.existing(first, in: $0).delete() }
            gate.open()
        }
        #expect(try Person.count(in: context) == 201)
        #expect(try Person.count(in: context) == 200)
        #expect(people.allSatisfy { $0.team == nil && $0.hasChanges })
        // The deleted team's rule changed the row that the other stack deleted.
        try await context.save(mergePolicy: .storeTrump)
        #expect(try Person.count(in: other.newContext()) == 200)
        try other.close()
    }
}
