import Dispatch
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// Saves whose task is cancelled before they begin, while they wait, while they are written, and
/// afterwards.
@MainActor
@Suite("Cancelled saves") struct CancelledSaveTests {
    private let gated: GatedStack
    private let context: ManagedObjectContext
    private var stack: ContextStack { gated.stack }

    init() throws {
        gated = try GatedStack(Person.self, Team.self)
        context = gated.context
    }

    private var stored: [String] {
        get throws { try Person.values(of: \.email, in: stack.newContext()).sorted() }
    }

    @Test
    func `a save in a cancelled task throws and keeps child and parent changes`() async throws {
        let child = context.newChild()
        try Person.create(in: context, email: "parent's")
        try Person.create(in: child, email: "child's")
        let save = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await child.save()
        }
        await #expect(throws: CancellationError.self) { try await save.value }
        #expect(try stored == [])
        #expect(context.insertedObjects.count == 1 && child.insertedObjects.count == 1)
        #expect(try await child.save() != .noChanges)
        #expect(try stored == ["child's", "parent's"])
        #expect(!context.hasChanges && !child.hasChanges)
    }

    @Test func `a save that is being written when its task is cancelled completes`() async throws {
        let ann = try Person.create(in: context, email: "ann")
        gated.gate.close(at: "COMMIT")
        let save = Task { try await context.save() }
        await gated.gate.waitUntilHeld()
        save.cancel()
        gated.gate.open()
        #expect(try await save.value != .noChanges)
        #expect(try stored == ["ann"])
        #expect(!context.hasChanges && ann.objectState == .persistent)
    }

    /// Only the writer can act between the COMMIT and the cancellation, because the main actor is
    /// busy.
    private func waitForCommit(of email: String) throws {
        gated.gate.open()
        while try !stored.contains(email) {}
    }

    @Test func `a save committed before its task is cancelled succeeds`() async throws {
        let child = context.newChild()
        let parents = try Person.create(in: context, email: "parent's")
        let childs = try Person.create(in: child, email: "child's")
        gated.gate.close(at: "COMMIT")
        let save = Task { try await child.save() }
        await gated.gate.waitUntilHeld()
        try waitForCommit(of: "child's")
        #expect(context.hasChanges && child.hasChanges)
        save.cancel()
        #expect(try await save.value == .saved(.inserting(2)))
        #expect(!context.hasChanges && !child.hasChanges)
        #expect(parents.objectState == .persistent && childs.objectState == .persistent)
        #expect(try stored == ["child's", "parent's"])
    }

    @Test
    func `a save block committed before its task is cancelled returns its value`() async throws {
        for block in 0..<2 {
            let (email, stack, context) = ("block \(block)", stack, context)
            // The stack leases keys first, because that has its own COMMIT.
            try await stack.saveWithBlock { try Person.create(in: $0, email: email).delete() }
            gated.gate.close(at: "COMMIT")
            let save = Task {
                if block == 0 {
                    return try await stack.saveWithBlock {
                        try Person.create(in: $0, email: email).email
                    }
                }
                return try await context.saveWithBlock {
                    try Person.create(in: $0, email: email).email
                }
            }
            await gated.gate.waitUntilHeld()
            try waitForCommit(of: email)
            save.cancel()
            #expect(try await save.value == email)
            #expect(try Person.count(in: context) == block + 1)
        }
    }

    @Test func `a save cancelled while it waits for another save writes nothing`() async throws {
        let ann = try Person.create(in: context, email: "ann")
        gated.gate.close(at: "COMMIT")
        let first = Task { try await context.save() }
        await gated.gate.waitUntilHeld()
        ann.name = "second"
        let second = Task { try await context.save() }
        second.cancel()
        gated.gate.open()
        #expect(try await first.value != .noChanges)
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(ann.name == "second" && ann.changedValues() == ["name": .text("second")])
        #expect(try Person.findFirst(in: stack.newContext())?.name == "")
    }

    @Test func `a save block cancelled while it waits for a save saves nothing`() async throws {
        let (isHeld, isFree) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let stack = stack
        let first = Task.detached {
            try await stack.saveWithBlock { context in
                try Person.create(in: context, email: "first")
                isHeld.signal()
                isFree.wait()
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "held").async {
                isHeld.wait()
                continuation.resume()
            }
        }
        let second = Task.detached {
            try await stack.saveWithBlock { try Person.create(in: $0, email: "second").email }
        }
        second.cancel()
        isFree.signal()
        try await first.value
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(try stored == ["first"])
    }

    @Test func `a cancelled save block of a context leaves the context as it was`() async throws {
        let ann = try Person.create(in: context, email: "ann")
        let block = Task {
            try await context.saveWithBlock { context in
                try Person.create(in: context, email: "block's")
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await block.value }
        #expect(try stored == [] && Person.count(in: context) == 1)
        #expect(context.insertedObjects.first === ann)
        try await context.save()
        #expect(try stored == ["ann"])
    }

    @Test func `a save block that is cancelled while it is written completes`() async throws {
        let stack = stack
        // The stack leases keys first, because that has its own COMMIT.
        try await stack.saveWithBlock { try Person.create(in: $0, email: "first").delete() }
        gated.gate.close(at: "COMMIT")
        let block = Task.detached {
            try await stack.saveWithBlock { try Person.create(in: $0, email: "ann").email }
        }
        await gated.gate.waitUntilHeld()
        block.cancel()
        gated.gate.open()
        #expect(try await block.value == "ann")
        #expect(try stored == ["ann"])
    }
}
