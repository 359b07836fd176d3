import RecordStack
import RecordStackTesting
import Testing

/// Outcomes in the recorded merges that the documentation does not promise.
@Suite("Faults in recorded merges") struct MergeFaultTests {
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

    @Test func `an object shows what a custom policy gave a deleted row`() throws {
        let pot = try pot(in: context)
        pot.note = "ours"
        try test.stack.saveWithBlockAndWait { try Pot.deleteAll(in: $0) }
        try context.saveAndWait(mergePolicy: .custom { _ in .values(["note": "given"]) })
        let stored = try self.pot(in: test.stack.newContext())
        #expect(stored.note == "given")
        #expect(pot.note == "given" && !pot.hasChanges)
    }

    @Test func `the rollback policy gives up all changes of a child's object`() throws {
        let child = context.newChild()
        let mine = try pot(in: child)
        (mine.note, mine.mine) = ("ours", 1)
        try pot(in: context).note = "theirs"
        try child.saveAndWait(mergePolicy: .rollback)
        #expect(mine.note == "theirs")
        #expect(mine.mine == 0 && !mine.hasChanges)
    }

    @Test func `a push that keeps the parent's side keeps its one-to-one`() throws {
        let child = context.newChild()
        let mine = try pot(in: child)
        mine.lid = try lid("a", in: child)
        let theirs = try pot(in: context)
        theirs.lid = try lid("b", in: context)
        try child.push(mergePolicy: .storeTrump)
        #expect(mine.lid?.name == "b" && theirs.lid?.name == "b")
        #expect(try lid("b", in: context).pot === theirs)
    }

    @Test func `a save after another object's conflict keeps a one-to-one`() throws {
        let conflict = MergeCase(base: 0, ours: .sets(1), theirs: .sets(2), isWide: true)
        // Our side assigns the lid that the pot has already, which is none. Another stack gives the pot a lid.
        let assignment = MergeCase(base: 0, ours: .sets(0), theirs: .sets(1), isWide: true)
        let scene = try MergeScene(.save, .lid, [conflict, assignment])
        try scene.change()
        let outcomes = try scene.decided(by: .error)
        #expect(outcomes[0].hasPrefix("!lid"))
        #expect(outcomes[1] == "a")
    }
}
