import Dispatch
import FoundationEssentials
import RecordStack
import RecordStackTesting
import Synchronization
import Testing

/// Objects and contexts that are freed in any order, on any thread. Under the sanitizers, these
/// tests show that the identity map, the anchors and the log survive it.
@Suite("Lifetimes of objects and contexts", .serialized) struct LifetimeTests {
    private static let rounds = 10_000

    @Test func `objects released on other threads are freed`() async throws {
        let test = try TestStack(for: Counted.self)
        try await test.stack.saveWithBlock { context in
            for index in 0..<20 { try Counted.create(in: context, name: "\(index)") }
        }
        let before = Counted.live
        let queue = DispatchQueue(label: "releases", attributes: .concurrent)
        for round in 0..<Self.rounds {
            let context = test.stack.newContext()
            let album = Album(try Counted.find(in: context))
            // The other thread drops the last reference, while this thread goes on with the
            // context.
            let box = Transferred(album)
            queue.async { _ = box }
            #expect(try Counted.count(in: context) == 20)
            if round % 100 == 0 { #expect(try Counted.find(in: context).count == 20) }
        }
        queue.sync(flags: .barrier) {}
        #expect(Counted.live == before)
    }

    /// Keeps the main queue from running, as a program without a run loop does.
    @MainActor @Test
    func `a stack is freed with its last reference while the main queue is busy`() throws {
        weak var coordinator: PersistentStoreCoordinator?
        do {
            let stack = try ContextStack(for: Counted.self, Holder.self, at: .inMemory)
            coordinator = stack.coordinator
            let context = stack.defaultContext
            try stack.saveWithBlockAndWait { _ = try Counted.create(in: $0, name: "a") }
            #expect(try Counted.count(in: context) == 1)
            try stack.saveWithBlockAndWait { _ = try Counted.create(in: $0, name: "b") }
            stack.coordinator.waitForCheckpoint()
        }
        #expect(coordinator == nil)
    }

    @Test func `contexts can be freed before their objects, on another thread`() async throws {
        let test = try TestStack(for: Counted.self, Holder.self)
        try await test.stack.saveWithBlock { context in
            let holder = try Holder.create(in: context, name: "h")
            for index in 0..<5 {
                try Counted.create(in: context, name: "\(index)", holder: holder)
            }
        }
        let before = Counted.live
        let queue = DispatchQueue(label: "releases", attributes: .concurrent)
        for _ in 0..<Self.rounds {
            var context: ManagedObjectContext? = test.stack.newContext()
            let objects = try Counted.find(in: context!)
            // From here on, the relationship is read on the short path while the context exists.
            #expect(objects[0].holder?.name == "h")
            let box = Transferred(context!)
            context = nil
            queue.async { _ = box }
            for object in objects {
                #expect(!object.name.isEmpty)
                // If the context is gone, the relationship is empty.
                if let holder = object.holder { #expect(holder.name == "h") }
                object.name = "changed"
            }
        }
        queue.sync(flags: .barrier) {}
        #expect(Counted.live == before)
    }

    @Test func `an object whose context is gone keeps only its attributes`() async throws {
        let test = try TestStack(for: Counted.self, Holder.self)
        var context: ManagedObjectContext? = test.stack.newContext()
        let holder = try Holder.create(in: context!, name: "h")
        let object = try Counted.create(in: context!, name: "o", holder: holder)
        context = nil
        #expect(object.objectState == .detached && object.managedObjectContext == nil)
        #expect(object.name == "o" && object.holder == nil)
        #expect(holder.members.count == 0)
        object.name = "p"
        #expect(object.name == "p")
        #expect(throws: RecordStackError.self) { try object.delete() }
    }

    @Test func `objects of dropped contexts and of throwing blocks are freed`() async throws {
        struct Stop: Error {}
        let test = try TestStack(for: Counted.self)
        try await test.stack.saveWithBlock { context in
            for index in 0..<5 { try Counted.create(in: context, name: "\(index)") }
        }
        let before = Counted.live
        for round in 0..<Self.rounds {
            let form = test.stack.newContext().newChild()
            for object in try Counted.find(in: form) { object.name = "edited \(round)" }
            try Counted.create(in: form, name: "new \(round)")
            try? test.stack.saveWaiting { context in
                try Counted.create(in: context, name: "thrown away")
                throw Stop()
            }
        }
        #expect(Counted.live == before)
        #expect(try await test.stack.read { try Counted.count(in: $0) } == 5)
    }

    @Test func `an actor's context and objects are freed with the actor`() async throws {
        let test = try TestStack(for: Counted.self)
        try await test.stack.saveWithBlock { context in
            for index in 0..<5 { try Counted.create(in: context, name: "\(index)") }
        }
        let before = Counted.live
        for _ in 0..<Self.rounds {
            let keeper = Keeper(test.stack)
            try await keeper.load()
            Task.detached { await keeper.touch() }
        }
        for _ in 0..<10_000 where Counted.live != before { await Task.yield() }
        #expect(Counted.live == before)
    }

    @Test func `a context releases objects that nothing else references`() async throws {
        let test = try TestStack(for: Counted.self)
        try await test.stack.saveWithBlock { context in
            for index in 0..<20_000 { try Counted.create(in: context, name: "\(index)") }
        }
        let before = Counted.live
        let context = test.stack.newContext()
        for start in stride(from: 0, to: 20_000, by: 100) {
            _ = try Counted.find(limit: 100, offset: start, in: context)
        }
        #expect(Counted.live - before < 3_000)
    }
}

/// A value that is moved to another thread and freed there.
private struct Transferred<Value>: @unchecked Sendable {
    let value: Value

    // Nothing uses the value after it was handed over.
    init(_ value: Value) { self.value = value }
}

private final class Album {
    let objects: [Counted]

    init(_ objects: [Counted]) { self.objects = objects }
}

private actor Keeper {
    private let stack: ContextStack
    private lazy var context = stack.newContext(ownedBy: self)
    private var objects: [Counted] = []

    init(_ stack: ContextStack) { self.stack = stack }

    func load() throws { objects = try Counted.find(in: context) }

    func touch() {
        for object in objects { object.name += "!" }
    }
}

extension ContextStack {
    /// Saves and waits. Blocking is allowed here, in a function that is not async.
    func saveWaiting(_ block: sending (ManagedObjectContext) throws -> Void) throws {
        try saveWithBlockAndWait(block)
    }
}

private let liveCounted = Atomic(0)

@Entity final class Counted: ManagedObject {
    @Attribute var name: String
    @Relationship(inverse: \Holder.members) var holder: Holder?
    private let count = LiveCount()

    static var live: Int { liveCounted.load(ordering: .sequentiallyConsistent) }
}

@Entity final class Holder: ManagedObject {
    @Attribute var name: String
    @Relationship var members: ToMany<Counted>
}

/// A counter of the objects that contain it.
final class LiveCount {
    init() { liveCounted.add(1, ordering: .sequentiallyConsistent) }
    deinit { liveCounted.subtract(1, ordering: .sequentiallyConsistent) }
}
