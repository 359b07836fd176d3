import RecordStack
import RecordStackTesting
import Testing

/// Edits that a child undoes after its parent has made the same edit.
@Suite("Edits undone below a parent's edit") struct UndoneBesideParentTests {
    @Test func `a child's deletion clears a reference that both child and parent set`() async throws
    {
        let test = try TestStack(for: Person.self)
        try await test.stack.saveWithBlock { context in
            try Team.create(in: context, title: "A")
            try Person.create(in: context, email: "ann")
        }
        let parent = test.stack.newContext()
        let child = parent.newChild()
        let ann = try Person.one(in: child)
        let team = try Team.one(in: child)
        ann.team = team
        try Person.one(in: parent).team = Team.one(in: parent)
        #expect(try Person.count(in: child) == 1)
        try team.delete()
        #expect(ann.team == nil)
        #expect(try Person.count(in: child) { $0.team == nil } == 1)
        #expect(try ann.snapshot.team == nil)
        #expect(child.hasChanges)
    }

    @Test func `a child that sets a reference back to nil shows its parent's reference`() throws {
        let test = try TestStack(for: Person.self)
        let parent = test.stack.newContext()
        try Person.create(in: parent, email: "ann")
        try Team.create(in: parent, title: "A")
        let child = parent.newChild()
        let (ann, team) = (try Person.one(in: child), try Team.one(in: child))
        ann.team = team
        try Person.one(in: parent).team = Team.one(in: parent)
        ann.team = nil
        #expect(try Person.count(in: child) { $0.team == team } == 1)
        #expect(ann.team == team)
    }
}
