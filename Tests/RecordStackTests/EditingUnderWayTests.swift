import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Objects that are edited back, or deleted, while a save with them is being written.
@MainActor
@Suite struct EditingUnderWayTests {
    /// Runs a body while a save of the default context stands before its COMMIT.
    private func whileSaving(
        _ test: TestStack, _ gate: Gate, _ body: () throws -> Void
    ) async throws {
        gate.close(at: "COMMIT")
        let save = Task { try await test.stack.defaultContext.save() }
        await gate.waitUntilHeld()
        try body()
        gate.open()
        _ = try await save.value
    }

    private func makeStack(_ gate: Gate) throws -> TestStack {
        try TestStack(entities: [Person.self], at: .temporaryFile, options: gate.options)
    }

    private func stored(_ test: TestStack) throws -> [Snapshot<Person>] {
        try Person.snapshots(in: test.stack.newContext())
    }

    @Test func `an edit back to the old value is a change of the saved one`() async throws {
        let gate = Gate()
        let test = try makeStack(gate)
        defer { gate.openForGood() }
        let context = test.stack.defaultContext
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        ann.name = "2"
        try await whileSaving(test, gate) { ann.name = "1" }
        #expect(ann.name == "1" && ann.committedValues() == ["name": .text("2")])
        try await context.save()
        #expect(try stored(test).map(\.name) == ["1"])
    }

    @Test func `a new object that is deleted meanwhile is deleted by the next save`() async throws {
        let gate = Gate()
        let test = try makeStack(gate)
        defer { gate.openForGood() }
        let context = test.stack.defaultContext
        let ann = try Person.create(in: context, email: "ann")
        try await whileSaving(test, gate) {
            try ann.delete()
            #expect(try Person.count(in: context) == 0)
        }
        #expect(try stored(test).count == 1 && ann.objectState == .deleted)
        #expect(try await context.save() == .saved(.deleting(1)))
        #expect(try stored(test).isEmpty && !context.hasChanges)
    }

    @Test func `a new object that is deleted while its save fails was never there`() async throws {
        let gate = Gate()
        let test = try makeStack(gate)
        defer { gate.openForGood() }
        let context = test.stack.defaultContext
        try await test.stack.saveWithBlock { try Person.create(in: $0, email: "taken").name = "x" }
        let ann = try Person.create(in: context, email: "taken")
        gate.close(at: "INSERT")
        let save = Task { try await context.save() }
        await gate.waitUntilHeld()
        try ann.delete()
        gate.open()
        await #expect(throws: RecordStackError.self) { try await save.value }
        #expect(!context.hasChanges)
        #expect(try await context.save() == .noChanges)
        #expect(try stored(test).map(\.name) == ["x"] && ann.objectState == .detached)
    }

    @Test func `a changed object that is deleted meanwhile does not conflict with itself`()
        async throws
    {
        let gate = Gate()
        let test = try makeStack(gate)
        defer { gate.openForGood() }
        let context = test.stack.defaultContext
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        ann.name = "2"
        try await whileSaving(test, gate) { try ann.delete() }
        #expect(try await context.save() == .saved(.deleting(1)))
        #expect(try stored(test).isEmpty)
    }
}
