import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// The work of its store that a stack counts.
@Suite("Store statistics") struct StoreStatisticsTests {
    private func work(_ stack: ContextStack, _ body: () throws -> Void) rethrows -> StoreStatistics
    {
        let before = stack.storeStatistics
        try body()
        return stack.storeStatistics - before
    }

    @Test(arguments: [TestStack.Location.temporaryFile, .memory])
    func `store statistics count statements, rows read and rows written`(
        location: TestStack.Location
    ) throws {
        let test = try TestStack(for: Person.self, at: location)
        let stack = test.stack
        let context = stack.newContext()
        #expect(try work(stack) { try savePeople(10, in: stack) }.rowsWritten == 10)
        let find = try work(stack) { _ = try Person.find(in: context) }
        #expect(find.statements == 1 && find.rowsRead == 10 && find.rowsWritten == 0)
        let first = try work(stack) { _ = try Person.findFirst(by: \.email, "p3", in: context) }
        #expect(first.statements == 1 && first.rowsRead == 1)
        let none = try work(stack) { _ = try Person.findFirst(by: \.email, "none", in: context) }
        #expect(none.statements == 1 && none.rowsRead == 0)
        let count = try work(stack) { _ = try Person.count(in: context) }
        #expect(count.statements == 1 && count.rowsRead == 1)
        let person = try #require(try Person.findFirst(by: \.email, "p3", in: context))
        person.name = "x"
        try Person.delete(in: context) { $0.email == "p4" }
        #expect(try work(stack) { try context.saveAndWait() }.rowsWritten == 2)
        person.email = "p5"
        #expect(work(stack) { _ = try? context.saveAndWait() }.rowsWritten == 0)
        #expect(StoreStatistics() == stack.storeStatistics - stack.storeStatistics)
    }

    @Test
    func `store statistics count the work of all connections, even closed ones`() async throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        try savePeople(5, in: test.stack)
        let before = test.stack.storeStatistics
        try await withThrowingTaskGroup { group in
            for _ in 0..<40 {
                group.addTask {
                    for _ in 0..<25 {
                        let people = try await test.stack.read { try Person.find(in: $0).count }
                        #expect(people == 5)
                    }
                }
            }
            try await group.waitForAll()
        }
        let work = test.stack.storeStatistics - before
        #expect(work.statements == 1_000 && work.rowsRead == 5_000)
        try test.stack.close()
        #expect((test.stack.storeStatistics - before).rowsRead == 5_000)
    }

    @Test func `store statistics count as many statements as the StatementRecorder`() throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        try savePeople(5, in: test.stack)
        let context = test.stack.newContext()
        _ = try Person.find(in: context)
        let before = test.stack.storeStatistics
        let statements = try test.recorder.statements(during: {
            for person in try Person.find(in: context) { person.name += "!" }
            try context.saveAndWait()
            _ = try Person.page(1, size: 2, in: context)
        })
        #expect((test.stack.storeStatistics - before).statements == statements.count)
    }
}
