import RecordStack
import RecordStackTesting
import Testing

/// A child sets back what it has set, and its parent has set the same meanwhile.
@Suite struct UndoneBesideParentTests {
    @Test func `deleting in a child what both have related leaves nobody with it`() async throws {
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

    @Test func `setting it back by hand shows what the parent has, if that is there`() throws {
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
