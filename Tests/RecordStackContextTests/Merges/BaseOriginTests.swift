import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// A child's change of a value that the parent has not saved rests on the parent's change, not on the value alone.
@Suite("Changes that rest on a parent's change") @MainActor
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

    /// Has another context save a count.
    private func save(_ count: Int) throws {
        try test.stack.saveWithBlockAndWait { try pot(in: $0).count = count }
    }

    /// The parent counts to 1, and the child from there to 2.
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

    @Test func `another context's equal value does not replace a step that was rolled back`() throws
    {
        let pots = try countTwice()
        try save(1)
        parent.rollback()
        expectConflict { try child.saveAndWait() }
        #expect(try storedCount() == 1 && pots.childs.count == 2)
    }

    @Test func `a parent's second step does not replace the one it rolled back`() throws {
        let pots = try countTwice()
        parent.rollback()
        pots.parents.count = 1
        expectConflict { try child.saveAndWait() }
        expectConflict { try child.push() }
        #expect(try storedCount() == 0 && pots.childs.count == 2)
    }

    @Test func `a child's change stands if the parent's was saved`() throws {
        _ = try countTwice()
        try parent.saveAndWait()
        try child.saveAndWait()
        #expect(try storedCount() == 2)
    }

    @Test func `a child's change stands if the parent goes on with another property`() throws {
        let pots = try countTwice()
        try parent.saveAndWait()
        pots.parents.note = "later"
        try child.saveAndWait()
        #expect(try storedCount() == 2)
        #expect(try pot(in: test.stack.newContext()).note == "later")
    }

    @Test func `a child's change stands if the parent's shows again`() throws {
        let pots = try countTwice()
        pots.parents.count = 0
        pots.parents.count = 1
        try child.saveAndWait()
        #expect(try storedCount() == 2)
    }

    @Test func `a grandchild's change stands if its parent is pushed and saved`() throws {
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

    @Test func `a grandchild's change falls with the change that was pushed`() throws {
        _ = try countTwice()
        let grandchild = child.newChild()
        try pot(in: grandchild).count += 1
        try child.push()
        parent.rollback()
        try save(2)
        expectConflict { try grandchild.saveAndWait() }
        #expect(try storedCount() == 2)
    }

    @Test func `a decision ends the conflict`() throws {
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

    @Test func `a policy decides about the conflict`() throws {
        let pots = try countTwice()
        try save(1)
        parent.rollback()
        try child.saveAndWait(mergePolicy: .storeTrump)
        #expect(try storedCount() == 1 && pots.childs.count == 1 && !child.hasChanges)
    }

    @Test(arguments: [StackArchitecture.nested, .parentChild])
    func `a block conflicts if the step it counted from was replaced`(
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
