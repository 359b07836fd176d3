import Dispatch
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// The ways in which contexts merge what other contexts save.
@MainActor
@Suite("Merging commits of other contexts") struct FollowingTests {
    @Test func `the default context shows an awaited save block's changes at once`() async throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        let context = test.stack.defaultContext
        let ann = try Person.create(in: context, email: "ann", name: "1")
        let bob = try Person.create(in: context, email: "bob")
        try await context.save()
        let id = ann.objectID
        let gone = bob.objectID
        try await test.stack.saveWithBlock { context in
            try Person.existing(id, in: context).name = "2"
            try Person.existing(gone, in: context).delete()
            try Person.create(in: context, email: "eve")
        }
        #expect(ann.name == "2")
        #expect(bob.objectState == .detached && bob.email == "bob")
        #expect(try Person.find(in: context).map(\.email) == ["ann", "eve"])
        #expect(!context.hasChanges)
    }

    @Test func `merging a save block runs no statement`() async throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        let context = test.stack.defaultContext
        let people = try (0..<100).map { try Person.create(in: context, email: "p\($0)") }
        try await context.save()
        try await test.stack.saveWithBlock { context in
            for person in try Person.find(in: context) { person.name = "changed" }
        }
        test.recorder.reset()
        #expect(people.allSatisfy { $0.name == "changed" })
        #expect(test.recorder.statements.isEmpty)
    }

    @Test func `a context shows another thread's save block at its next operation`() async throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        let id = ann.objectID
        let stack = test.stack
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "background").async {
                do {
                    try stack.saveWithBlockAndWait { try Person.existing(id, in: $0).name = "2" }
                } catch {
                    Issue.record(error)
                }
                continuation.resume()
            }
        }
        #expect(ann.name == "1", "reading a property merges nothing")
        #expect(try Person.count(in: context) { $0.name == "2" } == 1)
        #expect(ann.name == "2")
    }

    @Test func `an actor-owned context merges saves without an operation`() async throws {
        let test = try TestStack(for: Person.self)
        let reader = PersonReader(stack: test.stack)
        try await test.stack.saveWithBlock {
            _ = try Person.create(in: $0, email: "ann", name: "1")
        }
        try await reader.load()
        try await test.stack.saveWithBlock {
            try Person.findFirst(by: \.email, "ann", in: $0)?.name = "2"
        }
        for _ in 0..<10_000 where await reader.name != "2" { await Task.yield() }
        #expect(await reader.name == "2")
    }

    @Test func `merging another save keeps unsaved edits of other properties`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.defaultContext
        let ann = try Person.create(in: context, email: "ann", name: "1", age: 1)
        try await context.save()
        let id = ann.objectID
        ann.age = 2
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).name = "2" }
        #expect(ann.name == "2" && ann.age == 2)
        #expect(ann.changedValues() == ["age": .integer(2)])
        #expect(try await context.save() == .saved(.updating(1)))
    }

    @Test(arguments: [StackArchitecture.savingRoot, .siblings])
    func `save blocks of savingRoot and siblings ignore defaultContext's edits`(
        architecture: StackArchitecture
    ) async throws {
        let test = try TestStack(
            for: Person.self, at: .temporaryFile, architecture: architecture)
        let context = test.stack.defaultContext
        let ann = try Person.create(in: context, email: "ann", name: "base", age: 1)
        try await context.save()
        ann.name = "edited"
        try Person.create(in: context, email: "eve")
        let id = ann.objectID
        let seen = try await test.stack.saveWithBlock { context in
            let mine = try Person.existing(id, in: context)
            mine.age = 5
            return "\(mine.name) \(try Person.count(in: context))"
        }
        #expect(seen == "base 1")
        #expect(try Person.count(in: context) == 2)
        #expect(ann.name == "edited" && ann.age == 5 && ann.hasChanges)
        let stored = try await test.stack.read { try Person.find(in: $0).map(\.name) }
        #expect(stored == ["base"])
    }

    @Test func `a property set back to its saved value shows other contexts' saves`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann", name: "1", age: 1)
        try await context.save()
        ann.name = "1"
        ann.age = 2
        ann.age = 1
        #expect(!context.hasChanges)
        try await test.stack.saveWithBlock { context in
            let ann = try Person.findFirst(by: \.email, "ann", in: context)
            ann?.name = "2"
            ann?.age = 7
        }
        #expect(try Person.count(in: context) { $0.name == "2" && $0.age == 7 } == 1)
        #expect(ann.name == "2" && ann.age == 7 && !context.hasChanges)
    }

    /// A save between two statements of an operation must not be merged by the first and missed by
    /// the second.
    @Test(arguments: [true, false])
    func `a context merges a save made between two statements of its request`(deletes: Bool)
        async throws
    {
        let gate = Gate()
        let test = try TestStack(
            entities: [Person.self], at: .temporaryFile, options: gate.options)
        defer { gate.openForGood() }
        let id = try await test.stack.saveWithBlock { context in
            try Person.create(in: context, email: "ann", name: "1").objectID
        }
        let reader = test.stack.newPrivateQueueContext()
        gate.close(at: "SELECT t0")
        let held = Held()
        let page = Task {
            try await reader.perform { context in
                let page = try Person.page(1, size: 10, in: context)
                held.people = page.items
                return page.total
            }
        }
        await gate.waitUntilHeld()
        try await test.stack.saveWithBlock { context in
            let ann = try Person.findFirst(in: context)
            if deletes { try ann?.delete() } else { ann?.name = "2" }
        }
        gate.open()
        #expect(try await page.value == 1)
        let name = try await reader.perform { context in
            // Merges, and creates no object.
            _ = try Person.count(in: context)
            return (context.registeredObject(id) as? Person)?.name
        }
        #expect(name == (deletes ? nil : "2"))
    }

    @Test func `a fetch never returns an object that does not match its filter`() async throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        let context = test.stack.newContext()
        try await test.stack.saveWithBlock { context in
            for index in 0..<50 { try Person.create(in: context, email: "p\(index)", age: 0) }
        }
        _ = try Person.find(in: context)
        let writer = Task.detached { [stack = test.stack] in
            for age in 1...40 {
                try await stack.saveWithBlock { context in
                    for person in try Person.find(in: context) { person.age = age }
                }
            }
        }
        for age in 0..<2_000 {
            let found = try Person.find(in: context) { $0.age >= age % 40 }
            #expect(found.allSatisfy { ($0.age ?? -1) >= age % 40 })
        }
        try await writer.value
    }

    @Test func `a context that missed too many saves still shows their changes`() async throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann", name: "1")
        let bob = try Person.create(in: context, email: "bob")
        let eve = try Person.create(in: context, email: "eve", name: "1")
        try await context.save()
        eve.age = 5
        let (annID, bobID, eveID) = (ann.objectID, bob.objectID, eve.objectID)
        try await test.stack.saveWithBlock { context in
            try Person.existing(annID, in: context).name = "2"
            try Person.existing(eveID, in: context).name = "2"
            try Person.existing(bobID, in: context).delete()
        }
        for part in 0..<5 {
            try await test.stack.saveWithBlock { context in
                for index in 0..<5_000 { try Person.create(in: context, email: "\(part) \(index)") }
            }
        }
        #expect(try Person.count(in: context) == 25_002)
        #expect(ann.name == "2")
        #expect(bob.objectState == .detached)
        #expect(eve.name == "2" && eve.age == 5 && eve.hasChanges)
        #expect(try await context.save() == .saved(.updating(1)))
    }
}

private actor PersonReader {
    private let stack: ContextStack
    private lazy var context = stack.newContext(ownedBy: self)
    private var person: Person?

    init(stack: ContextStack) {
        self.stack = stack
    }

    func load() throws {
        person = try Person.find(in: context).first
    }

    /// The name, read without any operation.
    var name: String? { person?.name }
}

/// A holder that keeps a context's objects alive between two blocks.
// Unchecked, because only blocks on the context's queue use it.
private final class Held: @unchecked Sendable {
    var people: [Person] = []
}
