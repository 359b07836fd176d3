import Dispatch
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// Problems with merging and threads that users of MagicalRecord reported. The tests show that they
/// cannot happen here.
@MainActor
@Suite("Complaints about merging") struct MergeComplaintTests {
    private let test: TestStack
    private let context: ManagedObjectContext
    private var stack: ContextStack { test.stack }

    init() throws {
        test = try TestStack(for: Person.self, Team.self, at: .temporaryFile)
        context = test.stack.defaultContext
    }

    // MARK: Merging

    @Test func `#908, #1240, #613: contexts merge saves in commit order`() async throws {
        let counter = try Person.create(in: context, email: "counter", age: 0)
        try await context.save()
        let id = counter.objectID
        let areOver = Atomic(false)
        async let rounds: Void = {
            // Also when a round throws.
            defer { areOver.store(true, ordering: .releasing) }
            try await count(id, rounds: 4, steps: 50)
        }()
        var last = 0
        while last < 200 && !areOver.load(ordering: .acquiring) {
            let now = counter.age ?? 0
            #expect(now >= last)
            last = now
            await Task.yield()
        }
        try await rounds
        _ = try Person.count(in: context)
        #expect(counter.age == 200)
    }

    /// Counts up in several tasks at once.
    private func count(_ id: ManagedObjectID, rounds: Int, steps: Int) async throws {
        let stack = stack
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<rounds {
                group.addTask {
                    for _ in 0..<steps {
                        try await stack.saveWithBlock { context in
                            let counter = try Person.existing(id, in: context)
                            counter.age = (counter.age ?? 0) + 1
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test
    func `#618, #940, #615, #647, RestKit #1351: no context merges its own saves`() async throws {
        let ann = try Person.create(in: context, email: "ann")
        let bob = try Person.create(in: context, email: "bob")
        try await context.save()
        try bob.delete()
        ann.name = "2"
        try await context.save()
        ann.name = "3"
        try await stack.saveWithBlock { _ = try Person.create(in: $0, email: "cat") }
        #expect(context.statistics.merges == 1)
        #expect(ann.name == "3" && ann.hasChanges && bob.objectState == .detached)
        #expect(try Person.find(in: context).map(\.email) == ["ann", "cat"])
        try await context.save()
        #expect(context.statistics.merges == 1 && !ann.hasChanges)
    }

    @Test func `#879: a child sees its parent's edits before and after their save`() async throws {
        let child = context.newChild()
        let ann = try Person.create(in: context, email: "ann")
        let below = try #require(try Person.findFirst(in: child))
        #expect(below.email == "ann")
        ann.name = "2"
        _ = try Person.count(in: child)
        #expect(below.name == "2")
        try await context.save()
        #expect(below.name == "2" && !child.hasChanges)
    }

    @Test func `#908: a context can suspend merging during a big import`() async throws {
        let ann = try Person.create(in: context, email: "ann")
        try await context.save()
        let stack = stack
        try await context.withMergingSuspended {
            for number in 0..<50 {
                try await stack.saveWithBlock {
                    try Person.findFirst(by: \.email, "ann", in: $0)?.name = "\(number)"
                    try Person.create(in: $0, email: "p\(number)")
                }
            }
            #expect(ann.name == "" && context.statistics.merges == 0)
        }
        #expect(ann.name == "49" && context.statistics.merges == 50)
    }

    // MARK: Threads

    @Test
    func `#274, #519, #566, #986, #999, #1150, #1288: no object changes contexts`() async throws {
        try await stack.saveWithBlock { _ = try Person.create(in: $0, email: "ann", age: 0) }
        let stack = stack
        // Each task has its own context, on whichever threads the task runs.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let context = stack.newContext()
                    let ann = try #require(try Person.findFirst(in: context))
                    for _ in 0..<20 {
                        await Task.yield()
                        #expect(ann.managedObjectContext === context)
                        ann.age = (ann.age ?? 0) + 1
                        #expect(try Person.findFirst(in: context) === ann)
                    }
                    #expect(ann.age == 20)
                }
            }
            try await group.waitForAll()
        }
        #expect(try Person.findFirst(in: context)?.age == 0)
    }

    // Also #1024, #1131, #788, #835, #1075, #1165 and GDCoreDataConcurrencyDebugging 20.
    @Test
    func `#1006: correct use of several contexts logs no runtime warning`() async throws {
        let log = WarningLog()
        let test = try TestStack(
            entities: [Person.self, Team.self], at: .temporaryFile, options: log.options())
        let (stack, context) = (test.stack, test.stack.defaultContext)
        context.name = "the main one"
        let queue = stack.newPrivateQueueContext(name: "queue")
        queue.name = "renamed"
        let child = context.newChild()
        try Person.create(in: child, email: "ann").team = Team.create(in: child, title: "A")
        try await child.save()
        try await queue.perform { context in
            try Person.findFirst(in: context)?.name = "queue"
            try context.saveAndWait()
        }
        let names = try await stack.read { try Person.values(of: \.name, in: $0) }
        #expect(names == ["queue"])
        try await stack.saveWithBlock { try Person.findFirst(in: $0)?.delete() }
        #expect(try Person.count(in: context) == 0 && Team.find(in: context).count == 1)
        try stack.close()
        #expect(log.warnings.isEmpty)
    }

    @Test func `#157, #256, #339: a circular wait throws misuse instead of hanging`() async throws {
        let (first, second) = (
            stack.newPrivateQueueContext(name: "first"),
            stack.newPrivateQueueContext(name: "second")
        )
        let error = await #expect(throws: RecordStackError.self) {
            try await first.perform { _ in
                try second.performAndWait { _ in try first.performAndWait { _ in } }
            }
        }
        #expect(error?.code == .misuse)
        let stack = stack
        let inside = await #expect(throws: RecordStackError.self) {
            try await stack.saveWithBlock { _ in try stack.close() }
        }
        #expect(inside?.code == .misuse)
        // The queues and the stack still work.
        try await first.perform { _ = try Person.count(in: $0) }
        try await stack.saveWithBlock { _ = try Person.create(in: $0, email: "ann") }
        #expect(try Person.count(in: context) == 1)
    }

    @Test func `#861, #1254, #1331: the main thread reads during a background save`() async throws {
        let gated = try GatedStack(Person.self, Team.self)
        let (stack, context) = (gated.stack, gated.context)
        let teamID = try await stack.saveWithBlock { context in
            let team = try Team.create(in: context, title: "A")
            for number in 0..<3 {
                try Person.create(in: context, email: "\(number)", team: team)
            }
            return team.objectID
        }
        let team = try Team.existing(teamID, in: context)
        context.refreshAllObjects()
        let fault = try #require(try Person.findFirst(by: \.email, "1", in: context))
        try context.refresh(fault, mergingChanges: false)
        gated.gate.close(at: "COMMIT")
        let save = Task.detached {
            try await stack.saveWithBlock { try Person.create(in: $0, email: "4").email }
        }
        await gated.gate.waitUntilHeld()
        // The save is held before its COMMIT, and no read here waits for it.
        #expect(fault.isFault && fault.email == "1")
        #expect(team.members.count == 3)
        #expect(try Person.count(in: context) == 3)
        #expect(
            try Person.find(sortedBy: .ascending(\.email), in: context).map(\.email) == [
                "0", "1", "2",
            ])
        gated.gate.open()
        #expect(try await save.value == "4")
        #expect(try Person.count(in: context) == 4)
    }

    @Test func `#865: the main thread and other threads can wait for saves at once`() async throws {
        let stack = stack
        let done = DispatchSemaphore(value: 0)
        for number in 0..<8 {
            DispatchQueue.global().async {
                _ = try? stack.saveWithBlockAndWait {
                    try Person.create(in: $0, email: "p\(number)").objectID
                }
                done.signal()
            }
        }
        try waitedBlocks(stack)
        for _ in 0..<8 { waitFor(done) }
        #expect(try Person.count(in: context) == 16)
    }

    @Test func `#983: two stacks on one file do not wait for each other forever`() async throws {
        let test = try TestStack(entities: [Person.self], at: .temporaryFile)
        let path = try #require(test.path)
        let (gate, stack) = (Gate(), test.stack)
        defer { gate.openForGood() }
        let other = try ContextStack(for: Person.self, at: .file(path), options: gate.options)
        _ = try Person.count(in: other.newContext())
        gate.close(at: "COMMIT")
        let save = Task.detached {
            try await other.saveWithBlock { _ = try Person.create(in: $0, email: "other's") }
        }
        await gate.waitUntilHeld()
        // Reads of both stacks finish while the save is held.
        #expect(try Person.count(in: stack.defaultContext) == 0)
        #expect(try Person.count(in: other.newContext()) == 0)
        gate.open()
        try await save.value
        // The main thread and other threads wait for saves of both stacks.
        let done = DispatchSemaphore(value: 0)
        for number in 0..<4 {
            DispatchQueue.global().async {
                _ = try? other.saveWithBlockAndWait {
                    try Person.create(in: $0, email: "p\(number)").objectID
                }
                done.signal()
            }
        }
        try waitedBlocks(stack)
        for _ in 0..<4 { waitFor(done) }
        #expect(try Person.count(in: stack.newContext()) == 13)
        #expect(try Person.count(in: other.newContext()) == 13)
        try other.close()
    }

    private func waitedBlocks(_ stack: ContextStack) throws {
        for number in 0..<8 {
            try stack.saveWithBlockAndWait {
                _ = try Person.create(in: $0, email: "main \(number)")
            }
        }
    }

    private func waitFor(_ semaphore: DispatchSemaphore) { semaphore.wait() }
}
