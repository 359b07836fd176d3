import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// A child's edits of values that its parent has changed and not saved. Such an edit is based on
/// the parent's change, not only on the value.
@Suite("Edits based on a parent's edit") @MainActor
struct BaseOriginTests {
    private let test: TestStack
    private let parent: ManagedObjectContext
    private let child: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Pot.self, Rack.self, Lid.self)
        try test.seed { try Pot.create(in: $0, number: 1) }
        parent = test.stack.newContext()
        child = parent.newChild()
    }

    nonisolated private func pot(in context: ManagedObjectContext) throws -> Pot {
        try #require(try Pot.findFirst(in: context))
    }

    private func storedCount() throws -> Int { try pot(in: test.stack.newContext()).count }

    /// Saves a count in another context.
    private func save(_ count: Int) throws {
        try test.stack.saveWithBlockAndWait { try pot(in: $0).count = count }
    }

    /// Counts to 1 in the parent, and from there to 2 in the child.
    private func countTwice() throws -> (parents: Pot, childs: Pot) {
        let (parents, childs) = (try pot(in: parent), try pot(in: child))
        parents.count += 1
        _ = try Pot.count(in: child)
        childs.count += 1
        #expect(childs.count == 2)
        return (parents, childs)
    }

    private func expectConflict(_ body: () throws -> Void) {
        let error = #expect(throws: RecordStackError.self) { try body() }
        #expect(error?.code == .conflict)
        #expect(error?.conflicts.first?.properties.map(\.name) == ["count"])
    }

    @Test func `a child conflicts if a saved value replaces its parent's equal edit`() throws {
        let pots = try countTwice()
        try save(1)
        parent.rollback()
        expectConflict { try child.saveAndWait() }
        #expect(try storedCount() == 1 && pots.childs.count == 2)
    }

    @Test func `a child's edit conflicts if the parent rolls back and repeats its own`() throws {
        let pots = try countTwice()
        parent.rollback()
        pots.parents.count = 1
        expectConflict { try child.saveAndWait() }
        expectConflict { try child.push() }
        #expect(try storedCount() == 0 && pots.childs.count == 2)
    }

    @Test func `a child's edit conflicts if the parent repeats its own and saves it`() throws {
        let pots = try countTwice()
        parent.rollback()
        pots.parents.count = 1
        try parent.saveAndWait()
        expectConflict { try child.saveAndWait() }
        #expect(try storedCount() == 1 && pots.childs.count == 2)
    }

    @Test func `a child can save an edit of a value that its parent has saved`() throws {
        _ = try countTwice()
        try parent.saveAndWait()
        try child.saveAndWait()
        #expect(try storedCount() == 2)
    }

    @Test func `a child's save succeeds if its parent saves and edits another property`() throws {
        let pots = try countTwice()
        try parent.saveAndWait()
        pots.parents.note = "later"
        try child.saveAndWait()
        #expect(try storedCount() == 2)
        #expect(try pot(in: test.stack.newContext()).note == "later")
    }

    @Test func `a child can save its edit if the parent sets the value back and forth`() throws {
        let pots = try countTwice()
        pots.parents.count = 0
        pots.parents.count = 1
        try child.saveAndWait()
        #expect(try storedCount() == 2)
    }

    @Test func `a grandchild can save an edit of a value that was pushed and saved`() throws {
        let pots = try countTwice()
        let grandchild = child.newChild()
        let youngest = try pot(in: grandchild)
        youngest.count += 1
        try child.push()
        #expect(pots.parents.count == 2 && youngest.count == 3)
        youngest.note = "after the push"
        try parent.saveAndWait()
        try grandchild.saveAndWait()
        #expect(try storedCount() == 3)
    }

    @Test func `a grandchild's edit of a new object survives two pushes`() throws {
        let new = try Pot.create(in: child, number: 2, count: 1)
        let grandchild = child.newChild()
        try new.in(grandchild).count += 1
        try child.push()
        try grandchild.push()
        #expect(new.count == 2)
        try child.push()
        try parent.saveAndWait()
        let stored = try Pot.findFirst(by: \.number, 2, in: test.stack.newContext())
        #expect(stored?.count == 2)
    }

    @Test func `a grandchild's save conflicts if the edit under its own is rolled back`() throws {
        _ = try countTwice()
        let grandchild = child.newChild()
        try pot(in: grandchild).count += 1
        try child.push()
        parent.rollback()
        try save(2)
        expectConflict { try grandchild.saveAndWait() }
        #expect(try storedCount() == 2)
    }

    @Test(arguments: [false, true])
    func `a push conflicts if its base is rolled back after an equal save`(
        pushesAbove: Bool
    ) throws {
        let grandchild = child.newChild()
        let youngest = grandchild.newChild()
        if pushesAbove { try pot(in: child).note = "above" }
        try pot(in: grandchild).count = 1
        try pot(in: youngest).count = 2
        try pot(in: parent).count = 1
        try parent.saveAndWait()
        expectConflict { try grandchild.push() }
        grandchild.rollback()
        _ = try Pot.count(in: youngest)
        if pushesAbove { try child.push() }
        _ = try Pot.count(in: youngest)
        expectConflict { try youngest.push() }
    }

    @Test func `resolveConflict lets a child push its edit after a parent's rollback`() throws {
        let pots = try countTwice()
        parent.rollback()
        pots.parents.count = 1
        expectConflict { try child.push() }
        try pots.childs.resolveConflict(on: \.count, keeping: .ours)
        try child.push()
        #expect(pots.parents.count == 2)
        try parent.saveAndWait()
        #expect(try storedCount() == 2)
    }

    @Test func `storeTrump resolves a child's conflict after its parent's rollback`() throws {
        let pots = try countTwice()
        try save(1)
        parent.rollback()
        try child.saveAndWait(mergePolicy: .storeTrump)
        #expect(try storedCount() == 1 && pots.childs.count == 1 && !child.hasChanges)
    }

    @Test func `rolling back a parent and then its child shows the stored value`() throws {
        let pots = try countTwice()
        parent.rollback()
        _ = try Pot.count(in: child)
        try save(1)
        _ = try Pot.count(in: child)
        child.rollback()
        #expect(pots.childs.count == 1)
    }

    @Test func `a child's conflict remains if later saves restore the value it edited`() throws {
        _ = try countTwice()
        parent.rollback()
        try save(7)
        _ = try Pot.count(in: child)
        try save(1)
        expectConflict { try child.saveAndWait() }
        #expect(try storedCount() == 1)
    }

    @Test func `a grandchild's push succeeds after the child pushed the same property`() throws {
        let pots = try countTwice()
        pots.childs.count = 0
        let grandchild = child.newChild()
        let youngest = try pot(in: grandchild)
        youngest.count += 5
        try child.push()
        try grandchild.push()
        #expect(pots.childs.count == 5)
    }

    @Test func `a child can save if it sees the parent set the value back and forth`() throws {
        let pots = try countTwice()
        pots.parents.count = 0
        _ = try Pot.count(in: child)
        pots.parents.count = 1
        try child.saveAndWait()
        #expect(try storedCount() == 2)
    }

    @Test func `a child can save its edit of a row that its parent has re-inserted`() throws {
        let pots = try countTwice()
        try test.stack.saveWithBlockAndWait { try Pot.deleteAll(in: $0) }
        try parent.saveAndWait(mergePolicy: .objectTrump)
        pots.parents.note = "later"
        try child.saveAndWait()
        #expect(try storedCount() == 2)
    }

    @Test func `storeTrump in a push keeps the value that the parent has edited again`() throws {
        let pots = try countTwice()
        pots.childs.note = "mine"
        parent.rollback()
        pots.parents.count = 1
        pots.parents.other = 3
        try child.push(mergePolicy: .storeTrump)
        #expect(pots.parents.count == 1 && pots.parents.note == "mine")
        #expect(pots.childs.count == 1 && !child.hasChanges)
    }

    @Test(arguments: [StackArchitecture.nested, .parentChild])
    func `a save block can edit a pending object that its parent snapshot has`(
        architecture: StackArchitecture
    ) async throws {
        let test = try TestStack(for: Pot.self, Rack.self, Lid.self, architecture: architecture)
        let context = test.stack.defaultContext
        try Pot.create(in: context, number: 1, count: 1)
        let barrier = Barrier()
        let block = Task {
            try await test.stack.saveWithBlock { context in
                try #require(try Pot.findFirst(in: context)).count += 1
                barrier.pass()
            }
        }
        await barrier.arrival()
        try Pot.create(in: context, number: 2)
        #expect(try Pot.count(in: context) == 2)
        await Task.yield()
        barrier.open()
        try await block.value
        let stored = try Pot.findFirst(by: \.number, 1, in: test.stack.newContext())
        #expect(stored?.count == 2)
    }

    @Test(arguments: [StackArchitecture.nested, .parentChild])
    func `a save block conflicts if an edit in its parent snapshot is undone`(
        architecture: StackArchitecture
    ) async throws {
        let test = try TestStack(for: Pot.self, Rack.self, Lid.self, architecture: architecture)
        try test.seed { try Pot.create(in: $0, number: 1) }
        let context = test.stack.defaultContext
        let pot = try pot(in: context)
        pot.count = 1
        let barrier = Barrier()
        let block = Task {
            try await test.stack.saveWithBlock { context in
                try #require(try Pot.findFirst(in: context)).count += 1
                barrier.pass()
            }
        }
        await barrier.arrival()
        context.rollback()
        pot.count = 1
        barrier.open()
        let error = await #expect(throws: RecordStackError.self) { try await block.value }
        #expect(error?.code == .conflict)
        #expect(pot.count == 1 && context.hasChanges)
    }
}
