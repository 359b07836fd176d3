import Dispatch
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// Contexts while one of their saves is in progress, or has ended and is not merged yet.
@MainActor @Suite("Saves that a context has not merged") struct UnheardSaveTests {
    /// A stack with two gates.
    private struct Gated {
        let first = Gate()
        let second = Gate()
        let test: TestStack
        var stack: ContextStack { test.stack }

        @MainActor init(_ entities: ManagedObject.Type...) throws {
            var options = StoreOptions()
            options.observer = { [first, second] in
                first.observe($0)
                second.observe($0)
            }
            test = try TestStack(entities: entities, at: .temporaryFile, options: options)
        }

        func openForGood() {
            first.openForGood()
            second.openForGood()
        }

        /// Opens the first gate when something is held before the second, and the second when the
        /// first save has ended.
        func openInTurn(_ end: DispatchSemaphore) {
            let (first, second) = (first, second)
            Task.detached {
                await second.waitUntilHeld()
                DispatchQueue(label: "turn").async {
                    first.open()
                    _ = end.wait(timeout: .now() + 5)
                    second.open()
                }
            }
        }
    }

    @Test
    func `a new object deleted while its save ends is deleted by the next save`() async throws {
        let gated = try Gated(Team.self, Person.self)
        defer { gated.openForGood() }
        let context = gated.stack.defaultContext
        let team = try Team.create(in: context, title: "A")
        gated.first.close(at: "COMMIT")
        let saved = DispatchSemaphore(value: 0)
        context.saveWithBlock({ _ in }, completion: { _ in saved.signal() })
        await gated.first.waitUntilHeld()
        // The SELECT that looks for references to the team.
        gated.second.close(at: "SELECT")
        gated.openInTurn(saved)
        try team.delete()
        #expect(try await context.save() == .saved(.deleting(1)))
        #expect(try Team.count(in: gated.stack.newContext()) == 0)
    }

    /// Returns contexts whose saves make an unused context compare versions instead of merging.
    private func makeTooMuch(in stack: ContextStack) throws -> [ManagedObjectContext] {
        try (0..<2).map { number in
            let context = stack.newContext(name: "much \(number)")
            for place in 0..<10_001 { try Team.create(in: context, title: "\(number) \(place)") }
            return context
        }
    }

    @Test func `a context that missed too many saves recognizes its own save`() async throws {
        let gated = try Gated(Person.self, Team.self)
        defer { gated.openForGood() }
        let context = gated.stack.defaultContext
        let ann = try Person.create(in: context, email: "ann", name: "0")
        try await context.save()
        context.suspendMerging()
        let others = try makeTooMuch(in: gated.stack)
        let saved = DispatchSemaphore(value: 0)
        gated.first.close(at: "INSERT")
        for other in others { other.saveWithBlock({ _ in }, completion: { _ in }) }
        await gated.first.waitUntilHeld()
        // The save is captured before the context merges anything.
        ann.name = "one"
        context.saveWithBlock({ _ in }, completion: { _ in saved.signal() })
        ann.name = "two"
        gated.first.close(at: "UPDATE \"Person\"")
        gated.first.open()
        await gated.first.waitUntilHeld()
        gated.second.close(at: "SELECT")
        gated.openInTurn(saved)
        context.resumeMerging()
        let before = context.statistics.statements
        #expect(try Person.count(in: context) == 1)
        // The context compared versions.
        #expect(context.statistics.statements - before > 1)
        #expect(try waitedSave(context) == .saved(.updating(1)))
        #expect(try Person.snapshots(in: gated.stack.newContext()).map(\.name) == ["two"])
    }

    @Test(arguments: ["1", "3"])
    func `an edit made while a save overwrites another's value stays unsaved`(
        edit: String
    ) async throws {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        context.mergePolicy = .objectTrump
        let rival = gated.stack.newContext(name: "rival")
        try Person.existing(ann.objectID, in: rival).name = "3"
        ann.name = "2"
        gated.gate.close(at: "COMMIT")
        let first = Task { try await rival.save() }
        await gated.gate.waitUntilHeld()
        let second = Task { try await context.save() }
        // Waits until the save is captured.
        try await Task.sleep(for: .milliseconds(50))
        ann.name = edit
        gated.gate.close(at: "COMMIT")
        gated.gate.open()
        await gated.gate.waitUntilHeld()
        #expect(try Person.count(in: context) == 1)
        gated.gate.open()
        _ = try await (first.value, second.value)
        #expect(ann.name == edit && ann.committedValues() == ["name": .text("2")])
        try await context.save()
        #expect(try Person.snapshots(in: gated.stack.newContext()).map(\.name) == [edit])
    }

    @Test func `a value that a child sets back during its own save stays an edit`() async throws {
        let gated = try GatedStack(Person.self)
        let parent = gated.context
        let child = parent.newChild(name: "child")
        let ann = try Person.create(in: parent, email: "ann", name: "1")
        try await parent.save()
        ann.age = 5
        let same = try Person.existing(ann.objectID, in: child)
        same.name = "2"
        try await gated.whileSaving(child) {
            same.name = "1"
            let count = try Person.count(in: child)
            #expect(count == 1)
        }
        #expect(try Person.count(in: child) == 1)
        #expect(same.name == "1" && same.hasChanges)
        try await child.save()
        #expect(try Person.snapshots(in: gated.stack.newContext()).map(\.name) == ["1"])
    }

    @Test func `an edit back to the old value during a save survives a refresh`() async throws {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        ann.name = "2"
        try await gated.whileSaving {
            ann.name = "1"
            try context.refresh(ann)
        }
        #expect(try Person.count(in: context) == 1)
        #expect(ann.name == "1" && ann.hasChanges)
        try await context.save()
        #expect(try Person.snapshots(in: gated.stack.newContext()).map(\.name) == ["1"])
    }

    @Test(arguments: ["error", "storeTrump", "objectTrump"])
    func `a child that missed too many saves still finds a conflict in its save`(
        policy: String
    ) async throws {
        let test = try TestStack(entities: [Person.self, Team.self], at: .temporaryFile)
        let stack = test.stack
        try await stack.saveWithBlock { _ = try Person.create(in: $0, email: "ann") }
        let parent = stack.newContext(name: "parent")
        let child = parent.newChild(name: "child")
        try #require(try Person.findFirst(in: parent)).age = 5
        let ann = try #require(try Person.findFirst(in: child))
        ann.name = "ours"
        for context in [parent, child] { context.suspendMerging() }
        try await stack.saveWithBlock { try Person.findFirst(in: $0)?.name = "theirs" }
        for other in try makeTooMuch(in: stack) { try await other.save() }
        let save = { try await child.save(mergePolicy: MergePolicyTests.policy(policy)) }
        if policy == "error" {
            let error = await #expect(throws: RecordStackError.self) { _ = try await save() }
            #expect(error?.conflicts.first?.properties.map(\.name) == ["name"])
            #expect(ann.name == "ours")
            return
        }
        _ = try await save()
        let wanted = policy == "storeTrump" ? "theirs" : "ours"
        #expect(ann.name == wanted && ann.age == 5 && !child.hasChanges && !parent.hasChanges)
        let seen = try Person.snapshots(in: stack.newContext())
        #expect(seen.map(\.name) == [wanted] && seen.map(\.age) == [5])
    }

    @Test func `a to-one set back during its save stays an edit despite a rival save`()
        async throws
    {
        let gated = try GatedStack(Person.self, Team.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann")
        let (a, b) = (
            try Team.create(in: context, title: "A"), try Team.create(in: context, title: "B")
        )
        ann.team = a
        try await context.save()
        let rival = gated.stack.newContext(name: "rival")
        try Person.existing(ann.objectID, in: rival).team = b.in(rival)
        ann.team = b
        gated.gate.close(at: "COMMIT")
        let first = Task { try await rival.save() }
        await gated.gate.waitUntilHeld()
        // Both contexts set the same team, which is a conflict like any other.
        let second = Task { try await context.save(mergePolicy: .objectTrump) }
        try await Task.sleep(for: .milliseconds(50))
        ann.team = a
        gated.gate.close(at: "COMMIT")
        gated.gate.open()
        await gated.gate.waitUntilHeld()
        #expect(try Person.count(in: context) == 1)
        gated.gate.open()
        _ = try await (first.value, second.value)
        #expect(ann.team === a && ann.hasChanges)
        try await context.save()
        let other = gated.stack.newContext()
        #expect(try Person.findFirst(in: other)?.team?.title == "A")
    }

    @Test func `an edit back to the old value during a failing save is no change`() async throws {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        let rival = gated.stack.newContext(name: "rival")
        try Person.existing(ann.objectID, in: rival).name = "theirs"
        ann.name = "2"
        gated.gate.close(at: "COMMIT")
        let first = Task { try await rival.save() }
        await gated.gate.waitUntilHeld()
        let second = Task { try await context.save() }
        try await Task.sleep(for: .milliseconds(50))
        ann.name = "1"
        gated.gate.open()
        _ = try await first.value
        await #expect(throws: RecordStackError.self) { try await second.value }
        #expect(try Person.count(in: context) == 1)
        #expect(ann.name == "theirs" && !context.hasChanges)
        #expect(try await context.save() == .noChanges)
    }
}
