import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Saves of other contexts. They are shown as a whole and lose no update, whatever was changed here
/// and above.
@MainActor @Suite("Merging under unsaved changes", .serialized) struct MergingUnderChangesTests {
    private nonisolated static func weights(in context: ManagedObjectContext) throws -> [Int] {
        try Consignment.find(sortedBy: .ascending(\.number), in: context).map(\.weight)
    }

    private nonisolated static func move(
        _ amount: Int, from number: Int, to other: Int, in context: ManagedObjectContext
    ) throws {
        try #require(try Consignment.findFirst(by: \.number, number, in: context)).weight -= amount
        try #require(try Consignment.findFirst(by: \.number, other, in: context)).weight += amount
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's default context merges saves while a block is saved`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Consignment.self)
        let context = held.context
        let one = try Consignment.create(in: context, number: 1, weight: 100, price: 0)
        let other = try Consignment.create(in: context, number: 2, weight: 0, price: 0)
        try await context.save()
        one.weight -= 40
        one.weight += 40
        let (isMoved, mayHear) = (
            AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream()
        )
        let elsewhere = held.stack.newPrivateQueueContext()
        let suspended = Task {
            try await context.withMergingSuspended {
                try await elsewhere.perform { context in
                    try Self.move(10, from: 1, to: 2, in: context)
                    try context.saveAndWait()
                }
                isMoved.continuation.finish()
                for await _ in mayHear.stream {}
            }
        }
        for await _ in isMoved.stream {}
        try await held.whileHeld { context in
            try Consignment.create(in: context, number: 3, weight: 0, price: 0)
        } edit: {
            mayHear.continuation.finish()
            try await suspended.value
            #expect(try Consignment.count(in: context) == 2)
            #expect([one.weight, other.weight] == [90, 10] && !context.hasChanges)
        }
        #expect(try Self.weights(in: context) == [90, 10, 0])
    }

    @Test
    func `a child's edit conflicts once its parent rolls back the edited value`() async throws {
        let gated = try GatedStack(Tally.self)
        let parent = gated.context
        let child = parent.newChild()
        let tally = try Tally.create(in: parent, name: "t")
        tally.count = 1
        var below: Tally?
        try await gated.whileSaving {
            tally.count = 2
            below = try Tally.findFirst(in: child)
            below?.count += 1
        }
        child.suspendMerging()
        child.resumeMerging()
        parent.rollback()
        let error = await #expect(throws: RecordStackError.self) { try await child.save() }
        #expect(error?.code == .conflict && below?.count == 3 && tally.count == 1)
    }

    @Test func `a parent's edit stays visible in a child that merges a save`() async throws {
        let gated = try GatedStack(Tally.self)
        let parent = gated.context
        let child = parent.newChild()
        let tally = try Tally.create(in: parent, name: "t")
        try await parent.save()
        tally.count = 1
        let below = try #require(try Tally.findFirst(in: child))
        try await gated.whileSaving { () throws in
            tally.count = 2
            #expect(try Tally.count(in: child) { $0.count == 2 } == 1 && below.count == 2)
        }
        child.suspendMerging()
        child.resumeMerging()
        #expect(below.count == 2 && tally.hasChanges)
    }

    @Test func `a child's increment of a remotely changed row survives push and save`() throws {
        let test = try TestStack(
            entities: [Tally.self], at: .temporaryFile, options: .hearingOfNobody)
        let foreigner = try ContextStack(
            for: Tally.self, at: .file(try #require(test.path)), options: .hearingOfNobody)
        let parent = test.stack.newContext()
        let child = parent.newChild()
        let tally = try Tally.create(in: parent, name: "t")
        try parent.saveAndWait()
        try foreigner.saveWithBlockAndWait { context in
            try #require(try Tally.findFirst(in: context)).count = 5
        }
        let below = try #require(try Tally.findFirst(in: child))
        below.count += 1
        tally.other = 1
        _ = try Tally.count(in: child)
        try child.push()
        try parent.saveAndWait()
        let stored = try #require(try Tally.findFirst(in: test.stack.newContext()))
        #expect([stored.count, stored.other] == [6, 1])
        try foreigner.close()
    }

    @Test func `a parent's edit stays visible in an object that its child has changed`() throws {
        let test = try TestStack(for: Tally.self)
        let parent = test.stack.newContext()
        let child = parent.newChild()
        let grandchild = child.newChild()
        let tally = try Tally.create(in: parent, name: "t")
        try parent.saveAndWait()
        tally.count = 2
        let below = try #require(try Tally.findFirst(in: child))
        let further = try #require(try Tally.findFirst(in: grandchild))
        below.other = 7
        try test.stack.saveWithBlockAndWait { context in
            try #require(try Tally.findFirst(in: context)).name = "u"
        }
        grandchild.suspendMerging()
        grandchild.resumeMerging()
        #expect([below.count, below.other] == [2, 7] && below.name == "u")
        #expect(further.count == 2 && further.name == "u")
        try below.resolveConflict(on: \.other, keeping: .ours)
        #expect([below.count, below.other] == [2, 7])
        below.count += 1
        try child.push()
        try parent.saveAndWait()
        let stored = try #require(try Tally.findFirst(in: test.stack.newContext()))
        #expect([stored.count, stored.other] == [3, 7])
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `after saving, a nested stack's block shows other contexts' later saves`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Consignment.self)
        let (stack, context) = (held.stack, held.context)
        let one = try Consignment.create(in: context, number: 1, weight: 0, price: 0)
        try await context.save()
        one.weight = 1
        let barrier = Barrier()
        let running = Task {
            try await stack.saveWithBlock { context in
                let one = try #require(try Consignment.findFirst(in: context))
                barrier.pass()
                try context.saveAndWait()
                let elsewhere = stack.newContext()
                try #require(try Consignment.findFirst(in: elsewhere)).weight = 9
                try elsewhere.saveAndWait()
                #expect(try Consignment.findFirst(in: context)?.weight == 9)
                one.weight += 1
            }
        }
        await barrier.arrival()
        one.price = 2
        #expect(try Consignment.count(in: context) == 1)
        // The main actor's turn ends, and the context publishes its changes.
        try await Task.sleep(for: .milliseconds(50))
        barrier.open()
        try await running.value
        #expect(try Self.weights(in: context) == [10] && one.price == 2 && !context.hasChanges)
    }

    private nonisolated static let orders: [[ManagedObject.Type]] = [
        [Person.self, Team.self], [Team.self, Person.self],
    ]

    @Test(arguments: orders.indices, [false, true])
    func `clearing a reference to a remotely deleted object is no conflict`(
        order: Int, isOtherStack: Bool
    ) async throws {
        let test = try TestStack(entities: Self.orders[order], at: .temporaryFile)
        let others =
            isOtherStack
            ? try ContextStack(entities: Self.orders[order], at: .file(try #require(test.path)))
            : test.stack
        let context = test.stack.newContext()
        let team = try Team.create(in: context, title: "t")
        let ann = try Person.create(in: context, email: "ann")
        ann.team = team
        try await context.save()
        ann.team = nil
        ann.name = "left"
        try await others.saveWithBlock { context in
            try #require(try Team.findFirst(in: context)).delete()
        }
        while team.objectState != .detached {
            try await Task.sleep(for: .milliseconds(5))
            _ = try Person.count(in: context)
        }
        try await context.save()
        let stored = try #require(try Person.findFirst(in: test.stack.newContext()))
        #expect(stored.name == "left" && stored.team == nil)
        if isOtherStack { try others.close() }
    }
}
