import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// Contexts while one of their saves is being written.
@MainActor
@Suite("Contexts during a save") struct SaveUnderWayTests {
    @Test(arguments: ["INSERT", "COMMIT"])
    func `fetches during a save neither miss nor repeat an object`(
        _ statement: String
    ) async throws {
        let gated = try GatedStack(Person.self, Team.self)
        let context = gated.context
        let old = try Person.create(in: context, email: "old")
        try await context.save()
        old.name = "changed"
        try Person.create(in: context, email: "new")

        try await gated.whileSaving(at: statement) { () throws in
            #expect(try Person.find(in: context).map(\.email) == ["old", "new"])
            #expect(try Person.count(in: context) == 2)
            #expect(try Person.count(in: context) { $0.name == "changed" } == 1)
            #expect(try Person.page(1, size: 1, in: context).items.map(\.email) == ["old"])
            #expect(try Person.page(2, size: 1, in: context).items.map(\.email) == ["new"])
        }
        #expect(try Person.find(in: context).map(\.email) == ["old", "new"])
        #expect(!context.hasChanges)
    }

    @Test func `edits made during a save stay unsaved on top of the saved values`() async throws {
        let gated = try GatedStack(Person.self, Team.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann", name: "1", age: 1)
        try await context.save()
        ann.name = "2"

        try await gated.whileSaving {
            ann.name = "3"
            ann.age = 3
        }

        #expect(ann.name == "3" && ann.age == 3)
        #expect(ann.committedValues() == ["name": .text("2"), "age": .integer(1)])
        #expect(try await context.save() == .saved(.updating(1)))
        let stored = try Person.findFirst(by: \.email, "ann", in: gated.stack.newContext())
        #expect(stored?.name == "3" && stored?.age == 3)
    }

    @Test func `edits of a new object made during its save stay pending`() async throws {
        let gated = try GatedStack(Person.self, Team.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann", name: "1")

        try await gated.whileSaving {
            ann.name = "2"
        }

        #expect(ann.objectState == .persistent)
        #expect(ann.changedValues() == ["name": .text("2")])
        context.rollback()
        #expect(ann.name == "1")
    }

    @Test func `a second save of the same context waits and does not conflict`() async throws {
        let gated = try GatedStack(Person.self, Team.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann", name: "1")

        gated.gate.close(at: "COMMIT")
        let first = Task { try await context.save() }
        await gated.gate.waitUntilHeld()
        ann.name = "2"
        let second = Task { try await context.save() }
        await Task.yield()
        gated.gate.open()
        #expect(try await first.value == .saved(.inserting(1)))
        #expect(try await second.value == .saved(.updating(1)))
        #expect(!context.hasChanges)
    }

    @Test func `a blocking save waits for an awaited save in progress`() async throws {
        let gated = try GatedStack(Person.self, Team.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann", name: "1")

        gated.gate.close(at: "COMMIT")
        let first = Task { try await context.save() }
        await gated.gate.waitUntilHeld()
        ann.name = "2"
        Task.detached {
            try await Task.sleep(for: .milliseconds(20))
            gated.gate.open()
        }
        #expect(try waitedSave(context) == .saved(.updating(1)))
        #expect(try await first.value == .saved(.inserting(1)))
        #expect(ann.name == "2" && !context.hasChanges)
    }

    @Test func `a parent's save during its child's save writes nothing a second time`() async throws
    {
        let gated = try GatedStack(Person.self, Team.self)
        let context = gated.context
        try Person.create(in: context, email: "parent")
        let child = context.newChild()
        try Person.create(in: child, email: "child")

        gated.gate.close(at: "COMMIT")
        let first = Task { try await child.save() }
        await gated.gate.waitUntilHeld()
        let second = Task { try await context.save() }
        await Task.yield()
        gated.gate.open()
        #expect(try await first.value == .saved(.inserting(2)))
        #expect(try await second.value == .noChanges)
    }

    @Test func `a rollback during a save shows the saved values once the save ends`() async throws {
        let gated = try GatedStack(Person.self, Team.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        ann.name = "2"

        try await gated.whileSaving {
            context.rollback()
            #expect(ann.name == "1")
        }
        #expect(ann.name == "2" && !context.hasChanges)
    }

    @Test func `a save cancelled before it is written writes nothing`() async throws {
        let gated = try GatedStack(Person.self, Team.self)
        let context = gated.context
        try Person.create(in: context, email: "first")
        let other = gated.stack.newContext()
        try Person.create(in: other, email: "second")

        gated.gate.close(at: "COMMIT")
        let first = Task { try await context.save() }
        await gated.gate.waitUntilHeld()
        let second = Task { @MainActor in
            let context = gated.stack.newContext()
            try Person.create(in: context, email: "third")
            return try await context.save()
        }
        try await Task.sleep(for: .milliseconds(20))
        second.cancel()
        gated.gate.open()
        _ = try await first.value
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(try Person.find(in: context).map(\.email) == ["first"])
    }
}

/// Saves and waits. Blocking is allowed here, in a function that is not async.
func waitedSave(_ context: ManagedObjectContext) throws -> SaveOutcome {
    try context.saveAndWait()
}

extension SaveSummary {
    static func counting(inserted: Int = 0, updated: Int = 0, deleted: Int = 0) -> SaveSummary {
        var summary = SaveSummary()
        (summary.inserted, summary.updated, summary.deleted) = (inserted, updated, deleted)
        return summary
    }

    static func inserting(_ count: Int) -> SaveSummary {
        var summary = SaveSummary()
        summary.inserted = count
        return summary
    }

    static func updating(_ count: Int) -> SaveSummary {
        var summary = SaveSummary()
        summary.updated = count
        return summary
    }

    static func deleting(_ count: Int) -> SaveSummary {
        var summary = SaveSummary()
        summary.deleted = count
        return summary
    }
}
