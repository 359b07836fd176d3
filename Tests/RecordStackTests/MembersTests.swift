import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// The members of to-many relationships, through saves, refreshes and deletions.
@MainActor
@Suite("Members of to-many relationships") struct MembersTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Person.self, at: .temporaryFile)
        context = test.stack.defaultContext
    }

    private func team(_ title: String, _ emails: String...) throws -> Team {
        let team = try Team.create(in: context, title: title)
        for email in emails { try Person.create(in: context, email: email, team: team) }
        _ = try waitedSave(context)
        return team
    }

    @Test func `a member deleted elsewhere reads as empty but stays until an operation`() throws {
        _ = try team("A", "ann", "bob")
        let follower = test.stack.newContext()
        let members = try #require(try Team.findFirst(in: follower)).members
        #expect(members.objectIDs.count == 2)
        // The follower has not merged the deletion yet, and reading a property merges nothing.
        try waitedBlockOnStack { try Person.delete(in: $0) { $0.email == "ann" } }
        #expect(members.count == 2)
        #expect(members.map(\.email).sorted() == ["", "bob"])
        let placeholders = members.filter { $0.objectState == .detached }
        #expect(placeholders.count == 1)
        let placeholder = placeholders.first
        #expect(members.contains { $0 === placeholder })
        #expect(Array(members).count == 2)
        #expect(members.underestimatedCount <= 2)
        #expect(try Person.count(in: follower) == 1)
        #expect(members.count == 1)
        #expect(members.map(\.email) == ["bob"])
    }

    @Test func `members that cannot be loaded are still listed, with empty values`() throws {
        _ = try team("A", "ann", "bob")
        let follower = test.stack.newContext()
        let members = try #require(try Team.findFirst(in: follower)).members
        #expect(members.count == 2)
        try test.stack.close()
        #expect(Array(members).count == 2 && members.map(\.email) == ["", ""])
    }

    private func waitedBlockOnStack(
        _ block: sending (ManagedObjectContext) throws -> Void
    ) throws {
        try test.stack.saveWithBlockAndWait(block)
    }

    @Test func `refreshing members and their owner drops no member of the to-many`() throws {
        let team = try team("A", "ann", "bob")
        let ann = try #require(try Person.findFirst(by: \.email, "ann", in: context))
        #expect(team.members.count == 2)
        try context.refresh(ann, mergingChanges: false)
        #expect(team.members.count == 2)
        _ = ann.name
        #expect(team.members.count == 2)
        team.title = "changed"
        context.refreshAllObjects()
        #expect(Set(team.members.map(\.email)) == ["ann", "bob"])
    }

    @Test func `an object that another context gives a new owner leaves the old owner`()
        async throws
    {
        let a = try team("A", "ann")
        let b = try team("B")
        #expect(a.members.count == 1 && b.members.isEmpty)
        context.refreshAllObjects()
        _ = a.title
        try await test.stack.saveWithBlock { context in
            let b = try Team.findFirst(by: \.title, "B", in: context)
            try Person.findFirst(by: \.email, "ann", in: context)?.team = b
        }
        _ = try Person.find(in: context)
        #expect(a.members.isEmpty && b.members.map(\.email) == ["ann"])
    }

    @Test func `a detached object's to-many relationship is empty`() throws {
        let team = try team("A", "ann")
        #expect(team.members.count == 1)
        context.reset()
        #expect(team.members.isEmpty && team.objectState == .detached)
    }

    @Test func `a context misses no member that another context adds`() async throws {
        let stack = test.stack
        let team = try team("A")
        let follower = stack.newContext()
        let mine = try #require(try Team.findFirst(in: follower))
        #expect(mine.members.isEmpty)
        let rounds = 300
        let writer = Task.detached {
            for round in 0..<rounds {
                try await stack.saveWithBlock { context in
                    let team = try Team.findFirst(in: context)
                    for index in 0..<5 {
                        try Person.create(in: context, email: "\(round) \(index)", team: team)
                    }
                }
            }
        }
        var found = 0
        while found < rounds * 5 {
            found = try Person.find(in: follower).count
            await Task.yield()
        }
        _ = try await writer.value
        #expect(try Person.count(in: follower) == rounds * 5)
        #expect(mine.members.count == rounds * 5)
        #expect(try Team.findFirst(in: context) === team)
    }

    @Test func `setting a relationship to a deleted object sets nil and throws`() async throws {
        let team = try team("A")
        let ann = try Person.create(in: context, email: "ann")
        try team.delete()
        ann.team = team
        #expect(ann.team == nil)
        let error = #expect(throws: RecordStackError.self) { try Person.count(in: context) }
        #expect(error?.code == .misuse && error?.property == "team")
        #expect(try Person.count(in: context) { $0.team == nil } == 1)
        try await context.save()
    }

    @Test
    func `a reference saved elsewhere to an object deleted here is cleared`() async throws {
        let team = try team("A")
        try team.delete()
        try await test.stack.saveWithBlock { context in
            let team = try Team.findFirst(in: context)
            return try Person.create(in: context, email: "new", team: team).objectID
        }
        let new = try #require(try Person.findFirst(in: context))
        #expect(new.team == nil && new.hasChanges)
        #expect(try Person.count(in: context) { $0.team == nil } == 1)
        #expect(try await context.save() == .saved(.counting(updated: 1, deleted: 1)))
    }

    @Test
    func `an unsaved reference to an object deleted elsewhere is cleared`() async throws {
        let team = try team("A", "ann")
        let bob = try Person.create(in: context, email: "bob", team: team)
        try await test.stack.saveWithBlock { try Team.deleteAll(in: $0) }
        #expect(try Person.count(in: context) { $0.team == nil } == 2)
        #expect(bob.team == nil && team.objectState == .detached)
        try await context.save()
    }
}
