import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Contexts that find out that their own changes, or those of another context, are in the store.
@MainActor
@Suite("Acknowledged saves") struct AcknowledgedSaveTests {
    @Test func `a save of new objects leaves no changes`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let people = try (0..<100).map { (index: Int) in
            try Person.create(in: context, email: "p\(index)", age: index)
        }
        #expect(try await context.save() == .saved(.inserting(100)))
        #expect(people.allSatisfy { $0.objectState == .persistent && !$0.hasChanges })
        #expect(!context.hasChanges && context.insertedObjects.isEmpty)
        people[7].age = 70
        #expect(people[7].committedValues() == ["age": .integer(7)])
        #expect(try await context.save() == .saved(.updating(1)))
    }

    @Test func `edits of a new object made during its save are unsaved changes`() async throws {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let people = try (0..<6).map {
            try Person.create(in: context, email: "p\($0)", name: "abc", age: 3)
        }
        try await gated.whileSaving {
            people[0].name = "abd"
            people[1].name = "ab"
            people[2].age = nil
            people[3].isActive.toggle()
            // Another value and the first value again: no change is left.
            people[4].name = "abd"
            people[4].name = "abc"
        }
        #expect(people.map(\.hasChanges) == [true, true, true, true, false, false])
        #expect(people[0].committedValues() == ["name": .text("abc")])
        #expect(people[2].committedValues() == ["age": .integer(3)])
        #expect(try await context.save() == .saved(.updating(4)))
        let stored = try Person.find(in: gated.stack.newContext())
        #expect(stored.map(\.name) == people.map(\.name) && stored.map(\.age) == people.map(\.age))
        #expect(stored.map(\.isActive) == people.map(\.isActive))
    }

    @Test func `a saved new object shows the stored values for NaN and minus zero`() async throws {
        let test = try TestStack(for: Measurement.self)
        let context = test.stack.newContext()
        let measurement = try Measurement.create(in: context, value: -0.0, error: .nan)
        try await context.save()
        #expect(measurement.value.sign == .plus && measurement.error == nil)
        #expect(!measurement.hasChanges && !context.hasChanges)
    }

    @Test
    func `a new object stays a member of a loaded to-many after its save`() async throws {
        let test = try TestStack(for: Team.self, Person.self)
        let context = test.stack.newContext()
        let team = try Team.create(in: context, title: "A")
        #expect(team.members.isEmpty)
        let ann = try Person.create(in: context, email: "ann", team: team)
        try await context.save()
        #expect(team.members.map(\.email) == ["ann"] && ann.team === team)
        try ann.delete()
        #expect(team.members.isEmpty)
        try await context.save()
        #expect(team.objectState == .persistent && ann.objectState == .detached)
    }

    @Test
    func `merging a save changes exactly the edited ones of 70 attributes`() async throws {
        let test = try TestStack(for: Wide.self)
        let (context, other) = (test.stack.newContext(), test.stack.newContext())
        let ours = try (0..<6).map { try Wide.create(in: context, a00: $0) }
        try await context.save()
        let theirs = try Wide.find(in: other)
        #expect(theirs.count == 6)
        ours[0].a01 = 1
        (ours[1].a00, ours[1].a64) = (10, 64)
        ours[2].a69 = 69
        ours[3].a63 = 63
        (ours[4].a65, ours[4].a66) = (65, 66)
        theirs[2].a68 = 68
        #expect(try await context.save() == .saved(.updating(5)))
        #expect(try Wide.count(in: other) { $0.a64 == 64 } == 1)
        #expect(theirs[0].a01 == 1 && theirs[0].a64 == 0 && theirs[3].a63 == 63)
        #expect(theirs[1].a00 == 10 && theirs[1].a64 == 64 && theirs[1].a01 == 0)
        #expect(theirs[4].a65 == 65 && theirs[4].a66 == 66 && theirs[5].a66 == 0)
        #expect(theirs[2].a69 == 69 && theirs[2].changedValues() == ["a68": .integer(68)])
        #expect(try await other.save() == .saved(.updating(1)))
        #expect(try Wide.count(in: context) { $0.a68 == 68 } == 1)
        #expect(ours[2].a68 == 68 && ours[2].a69 == 69 && !context.hasChanges)
    }
}
