import RecordStack
import RecordStackModel
import Testing

/// Objects that are edited back, or deleted, while a save with them is being written.
@MainActor
@Suite struct EditingUnderWayTests {
    private func stored(_ gated: GatedStack) throws -> [Snapshot<Person>] {
        try Person.snapshots(in: gated.stack.newContext())
    }

    @Test func `an edit back to the old value is a change of the saved one`() async throws {
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

    @Test func `a new object that is deleted meanwhile is deleted by the next save`() async throws {
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

    @Test func `a new object that is deleted while its save fails was never there`() async throws {
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

    @Test func `a changed object that is deleted meanwhile does not conflict with itself`()
        async throws
    {
        let gated = try GatedStack(Person.self)
        let context = gated.context
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        ann.name = "2"
        try await gated.whileSaving { try ann.delete() }
        #expect(try await context.save() == .saved(.deleting(1)))
        #expect(try stored(gated).isEmpty)
    }
}
