import RecordStack
import RecordStackTesting
import Testing

/// Outcomes of the recorded merges that the documentation does not promise.
@Suite("Details of recorded merges") struct MergeFaultTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Pot.self, Rack.self, Lid.self)
        context = test.stack.newContext()
        try test.seed { context in
            for name in ["a", "b"] { try Lid.create(in: context, name: name) }
            try Pot.create(in: context, number: 1)
        }
    }

    private func pot(in context: ManagedObjectContext) throws -> Pot {
        try #require(try Pot.findFirst(in: context))
    }

    private func lid(_ name: String, in context: ManagedObjectContext) throws -> Lid {
        try #require(try Lid.findFirst(by: \.name, name, in: context))
    }

    @Test func `a deleted row that a custom policy re-inserts shows the policy's value`() throws {
        let pot = try pot(in: context)
        pot.note = "ours"
        try test.stack.saveWithBlockAndWait { try Pot.deleteAll(in: $0) }
        try context.saveAndWait(mergePolicy: .custom { _ in .values(["note": "given"]) })
        let stored = try self.pot(in: test.stack.newContext())
        #expect(stored.note == "given")
        #expect(pot.note == "given" && !pot.hasChanges)
    }

    @Test func `the rollback policy drops all edits of a child's conflicting object`() throws {
        let child = context.newChild()
        let mine = try pot(in: child)
        (mine.note, mine.mine) = ("ours", 1)
        try pot(in: context).note = "theirs"
        try child.saveAndWait(mergePolicy: .rollback)
        #expect(mine.note == "theirs")
        #expect(mine.mine == 0 && !mine.hasChanges)
    }

    @Test func `a push with storeTrump keeps the parent's one-to-one relationship`() throws {
        let child = context.newChild()
        let mine = try pot(in: child)
        mine.lid = try lid("a", in: child)
        let theirs = try pot(in: context)
        theirs.lid = try lid("b", in: context)
        try child.push(mergePolicy: .storeTrump)
        #expect(mine.lid?.name == "b" && theirs.lid?.name == "b")
        #expect(try lid("b", in: context).pot === theirs)
    }

    @Test func `a save that conflicts still merges a one-to-one of another object`() throws {
        let conflict = MergeCase(base: 0, ours: .sets(1), theirs: .sets(2), isWide: true)
        // Our side assigns nil, which is what the pot already has. Another stack assigns a lid to
        // the pot.
        let assignment = MergeCase(base: 0, ours: .sets(0), theirs: .sets(1), isWide: true)
        let scene = try MergeScene(.save, .lid, [conflict, assignment])
        try scene.change()
        let outcomes = try scene.decided(by: .error)
        #expect(outcomes[0].hasPrefix("!lid"))
        #expect(outcomes[1] == "a")
    }
}
