import FoundationEssentials
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// Snapshots that are written back into contexts.
@Suite("Upserts of snapshots") struct SnapshotUpsertTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Person.self, Team.self, Dog.self) { context in
            let team = try Team.create(in: context, title: "A")
            try Person.create(in: context, email: "ann", name: "Ann", age: 30).team = team
            try Person.create(in: context, email: "bob", name: "Bob")
            try Team.create(in: context, title: "B")
        }
        context = test.stack.newContext()
    }

    private func people() throws -> [Snapshot<Person>] {
        try Person.snapshots(sortedBy: .ascending(\.email), in: context)
    }

    @Test func `an upsert of snapshots restores the values of their objects`() async throws {
        let before = try people()
        try await test.stack.saveWithBlock { context in
            for person in try Person.find(in: context) {
                (person.name, person.age, person.team) = ("x", nil, nil)
            }
        }
        let summary = try await test.stack.saveWithBlock { try Person.upsert(before, in: $0) }
        #expect(summary.matched == 2 && summary.inserted == 0)
        #expect(try people() == before)
    }

    @Test
    func `an upsert of unchanged snapshots writes nothing and runs two SELECTs`() async throws {
        let before = try people()
        test.recorder.reset()
        try Person.upsert(before, in: context)
        #expect(!context.hasChanges)
        #expect(test.recorder.statements.count { $0.hasPrefix("SELECT") } == 2)
    }

    @Test func `an upsert of a snapshot in a child overrides an edit of its parent`() async throws {
        let before = try people()
        let ann = try #require(try Person.findFirst(by: \.email, "ann", in: context))
        ann.name = "pending"
        let child = context.newChild()
        try Person.upsert(before, in: child)
        #expect(try ann.in(child).name == "Ann" && ann.name == "pending")
        try child.push()
        #expect(ann.name == "Ann" && !context.hasChanges)
    }

    @Test func `an upsert of a snapshot re-creates a deleted object under a new ID`() async throws {
        let before = try people()
        try await test.stack.saveWithBlock {
            try Person.findFirst(by: \.email, "ann", in: $0)?.delete()
        }
        let summary = try Person.upsert(before, in: context)
        #expect(summary.matched == 1 && summary.inserted == 1)
        let ann = try #require(try Person.findFirst(by: \.email, "ann", in: context))
        #expect(ann.objectID != before[0].objectID)
        #expect(ann.name == "Ann" && ann.age == 30 && ann.team?.title == "A")
        // A second upsert of the same snapshots inserts nothing.
        #expect(try Person.upsert(before + before, in: context).inserted == 0)
        try await context.save()
    }

    @Test func `an upsert of another store's snapshots leaves relationships alone`() throws {
        let other = try TestStack(for: Person.self, Team.self) { context in
            try Person.create(in: context, email: "new", name: "New").team = Team.create(
                in: context, title: "C")
            try Person.create(in: context, email: "ann", name: "Other").team = Team.findFirst(
                by: \.title, "C", in: context)
        }
        let theirs = other.stack.newContext()
        let summary = try Person.upsert(Person.snapshots(in: theirs), in: context)
        #expect(summary.matched == 1 && summary.inserted == 1)
        let ann = try #require(try Person.findFirst(by: \.email, "ann", in: context))
        #expect(ann.name == "Other" && ann.age == nil && ann.team?.title == "A")
        #expect(try Person.findFirst(by: \.email, "new", in: context)?.team == nil)
        try context.saveAndWait()
    }

    @Test func `an upsert of a snapshot throws if it cannot find a related object`() async throws {
        let team = try Team.create(in: context, title: "pending")
        let ann = try #require(try Person.findFirst(by: \.email, "ann", in: context))
        ann.team = team
        let snapshot = try ann.snapshot
        let error = #expect(throws: RecordStackError.self) {
            try Person.upsert([snapshot], in: test.stack.newContext())
        }
        #expect(error?.code == .notFound && error?.property == "team")
        #expect(error?.message.contains("Person.team of the snapshot") == true)
    }

    @Test func `an upsert of subentity snapshots creates objects of the subentity`() throws {
        try Dog.create(in: context, name: "Rex").breed = "mutt"
        try Animal.create(in: context, name: "Cow")
        let all = try Animal.snapshots(sortedBy: .ascending(\.name), in: context)
        let other = test.stack.newContext()
        #expect(try Animal.upsert(all, in: other).inserted == 2)
        #expect(try Dog.find(in: other).map(\.breed) == ["mutt"])
        #expect(try Animal.count(in: other) == 2)
    }

    @Test func `an upsert looks up 2,500 snapshots with four SELECTs`() throws {
        for number in 0..<2_500 { try Person.create(in: context, email: "p\(number)") }
        try context.saveAndWait()
        let all = try Person.snapshots(in: context)
        let other = test.stack.newContext()
        test.recorder.reset()
        #expect(try Person.upsert(all, in: other).matched == 2_502)
        #expect(test.recorder.statements.count { $0.hasPrefix("SELECT") } == 4)
        #expect(!other.hasChanges)
    }
}
