import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// Objects that are edited back, or deleted, while a save with them is being written.
@MainActor
@Suite("Deletions and reverted edits during a save") struct EditingUnderWayTests {
    private func stored(_ gated: GatedStack) throws -> [Snapshot<Person>] {
        try Person.snapshots(in: gated.stack.newContext())
    }

    @Test func `an edit back to the old value during a save is a new change`() async throws {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        ann.name = "2"
        try await gated.whileSaving { ann.name = "1" }
        #expect(ann.name == "1" && ann.committedValues() == ["name": .text("2")])
        try await context.save()
        #expect(try stored(gated).map(\.name) == ["1"])
    }

    @Test func `a new object deleted during its save is deleted by the next save`() async throws {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann")
        try await gated.whileSaving {
            try ann.delete()
            #expect(try Person.count(in: context) == 0)
        }
        #expect(try stored(gated).count == 1 && ann.objectState == .deleted)
        #expect(try await context.save() == .saved(.deleting(1)))
        #expect(try stored(gated).isEmpty && !context.hasChanges)
    }

    @Test func `a new object deleted while its save fails leaves nothing to save`() async throws {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        try await gated.stack.saveWithBlock { try Person.create(in: $0, email: "taken").name = "x" }
        let ann = try Person.create(in: context, email: "taken")
        await #expect(throws: RecordStackError.self) {
            try await gated.whileSaving(at: "INSERT") { try ann.delete() }
        }
        #expect(!context.hasChanges)
        #expect(try await context.save() == .noChanges)
        #expect(try stored(gated).map(\.name) == ["x"] && ann.objectState == .detached)
    }

    @Test func `deleting a changed object during its save causes no conflict`() async throws {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        ann.name = "2"
        try await gated.whileSaving { try ann.delete() }
        #expect(try await context.save() == .saved(.deleting(1)))
        #expect(try stored(gated).isEmpty)
    }

    @Test func `rolling back a deletion made during a save shows the saved values`() async throws {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        ann.name = "2"
        try await gated.whileSaving { try ann.delete() }
        context.rollback()
        #expect(ann.name == "2")
        #expect(try Person.find(in: context) { $0.name == "2" }.first?.name == "2")
    }

    @Test
    func `rolling back a new object edited during its save shows saved values`() async throws {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await gated.whileSaving {
            ann.name = "2"
            try ann.delete()
        }
        #expect(try Person.count(in: context) == 0)
        context.rollback()
        #expect(ann.name == "1")
        #expect(try Person.find(in: context).map(\.name) == ["1"])
    }

    @Test func `rolling back a deletion during a child's save shows saved values`() async throws {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let child = context.newChild()
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        try Person.existing(ann.objectID, in: child).name = "2"
        try await gated.whileSaving(child) {
            try ann.delete()
            #expect(try Person.count(in: child) == 0)
        }
        #expect(!child.hasChanges)
        context.rollback()
        #expect(ann.name == "2")
        #expect(try Person.find(in: context).map(\.name) == ["2"])
        #expect(try Person.find(in: child).map(\.name) == ["2"])
    }

    @Test func `a child's edit survives a deletion that its parent makes during a save`()
        async throws
    {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let child = context.newChild()
        let ann = try Person.create(in: context, email: "ann", name: "1")
        let mine = try Person.existing(ann.objectID, in: child)
        mine.name = "child's"
        try await gated.whileSaving {
            try ann.delete()
            #expect(try Person.count(in: child) == 0)
        }
        #expect(try Person.count(in: child) == 0 && mine.hasChanges)
        context.rollback()
        #expect(try Person.find(in: child).map(\.name) == ["child's"])
    }

    @Test func `edits made while an object's deletion is written are a conflict`() async throws {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        try ann.delete()
        try await gated.whileSaving {
            context.rollback()
            ann.name = "2"
        }
        #expect(ann.hasChanges && context.hasChanges)
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.conflicts.first?.kind == .deletedElsewhere)
    }

    @Test func `a parent's edit conflicts if a child is saving the object's deletion`()
        async throws
    {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let child = context.newChild()
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        ann.age = 1
        try Person.existing(ann.objectID, in: child).delete()
        try await gated.whileSaving(child) { ann.name = "late" }
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.conflicts.first?.kind == .deletedElsewhere)
        context.rollback()
        #expect(try await context.save() == .noChanges)
    }

    @Test
    func `a child's saved deletion discards its parent's edits without conflict`() async throws {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let child = context.newChild()
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        ann.age = 1
        try Person.existing(ann.objectID, in: child).delete()
        try await child.save()
        #expect(!context.hasChanges && ann.objectState == .detached)
    }
}
