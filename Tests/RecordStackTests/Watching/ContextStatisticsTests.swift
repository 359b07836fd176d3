import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// The work that contexts count.
@Suite("Context statistics") struct ContextStatisticsTests {
    private func stack(at location: TestStack.Location = .temporaryFile) throws -> TestStack {
        try TestStack(for: Person.self, at: location) { context in
            for number in 0..<10 { try Person.create(in: context, email: "\(number)") }
        }
    }

    @Test(arguments: [TestStack.Location.memory, .temporaryFile])
    func `context statistics count statements, rows and objects of finds`(
        location: TestStack.Location
    ) throws {
        let test = try stack(at: location)
        let context = test.stack.newContext()
        let before = test.stack.storeStatistics
        let people = try Person.find(in: context)
        var wanted = ContextStatistics()
        wanted.statements = (test.stack.storeStatistics - before).statements
        wanted.rowsRead = (test.stack.storeStatistics - before).rowsRead
        wanted.objectsFetched = 10
        #expect(context.statistics == wanted)
        // An object that the context holds is not created again.
        _ = try Person.findFirst(by: \.email, "3", in: context)
        #expect(context.statistics.objectsFetched == 10)
        #expect(
            context.statistics.statements
                == (test.stack.storeStatistics - before).statements)
        withExtendedLifetime(people) {}
    }

    @Test func `context statistics count the faults that a property loads`() throws {
        let test = try stack()
        let context = test.stack.newContext()
        let ann = try #require(try Person.findFirst(by: \.email, "1", in: context))
        context.refreshAllObjects()
        let before = context.statistics
        #expect(ann.name.isEmpty)
        #expect(ann.email == "1")
        #expect((context.statistics - before).faultsLoaded == 1)
        #expect((context.statistics - before).statements > 0)
        #expect((context.statistics - before).objectsFetched == 0)
    }

    @Test(arguments: [TestStack.Location.memory, .temporaryFile])
    func `context statistics count a save for the context that was saved`(
        location: TestStack.Location
    ) async throws {
        let test = try stack(at: location)
        let list = test.stack.newContext(name: "list")
        let form = list.newChild(name: "form")
        try Person.create(in: list, email: "a")
        try Person.create(in: form, email: "b")
        let before = test.stack.storeStatistics
        let earlier = form.statistics
        try await form.save()
        let done = test.stack.storeStatistics - before
        let counted = form.statistics - earlier
        #expect(counted.saves == 1)
        #expect(counted.rowsWritten == 2)
        #expect(counted.rowsWritten == done.rowsWritten)
        #expect(form.statistics.objectsCreated == 1)
        #expect(list.statistics.saves == 0)
        #expect(list.statistics.objectsCreated == 1)
        // A save without changes does not count.
        try await form.save()
        #expect(form.statistics.saves == 1)
    }

    @Test func `context statistics count no save and no rows for a failed save`() async throws {
        let test = try stack()
        let context = test.stack.newContext()
        try Person.create(in: context, email: "1")
        let before = context.statistics
        await #expect(throws: RecordStackError.self) { try await context.save() }
        let done = context.statistics - before
        #expect(done.saves == 0)
        #expect(done.rowsWritten == 0)
        #expect(done.statements > 0)
    }

    @Test func `context statistics count commits when they are merged`() async throws {
        let test = try stack()
        let context = test.stack.newContext()
        for number in 0..<3 {
            try await test.stack.saveWithBlock {
                _ = try Person.create(in: $0, email: "new \(number)")
            }
        }
        #expect(context.statistics.merges == 0)
        #expect(try Person.count(in: context) == 13)
        #expect(context.statistics.merges == 3)
        try Person.create(in: context, email: "own")
        try await context.save()
        _ = try Person.count(in: context)
        #expect(context.statistics.merges == 3)
    }

    @Test func `context statistics count pushed objects as created`() throws {
        let test = try stack()
        let list = test.stack.newContext()
        let form = list.newChild()
        try Person.create(in: form, email: "a")
        try form.push()
        #expect(form.statistics.objectsCreated == 1)
        #expect(list.statistics.objectsCreated == 1)
    }

    @Test func `any thread can read the statistics of a context's monitor`() async throws {
        let test = try stack()
        let context = test.stack.newContext()
        let monitor = context.monitor
        _ = try Person.find(in: context)
        #expect(await Task.detached { monitor.statistics.objectsFetched }.value == 10)
    }
}
