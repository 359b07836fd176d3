import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Deletions by a filter in a context, which its next save writes.
@Suite("Deletions by filter") struct SetDeletionTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Ware.self) { context in
            for number in 1...200 {
                try Ware.create(in: context, number: number).name = "w\(number % 10)"
            }
        }
        context = test.stack.newContext()
    }

    @Test func `a deletion by filter reads only keys and runs one DELETE`() async throws {
        let marking = try test.recorder.statements {
            try Ware.delete(in: context) { $0.number > 100 }
        }
        #expect(
            marking.filter { $0.hasPrefix("SELECT t0") && $0.contains("name") }.isEmpty,
            "\(marking)")
        #expect(context.deletedObjects.count == 100)
        #expect(try Ware.count(in: context) == 100)
        let saving = try await test.recorder.statements { try await context.save() }
        #expect(saving.filter { $0.hasPrefix("DELETE") }.count == 1)
        #expect(try Ware.count(in: test.stack.newContext()) == 100)
        #expect(context.registeredObjectCount == 0)
    }

    @Test func `a deletion by filter deletes rows of several row versions`() async throws {
        try await test.stack.update(Ware.where { $0.number % 3 == 0 }) { $0.amount += 1 }
        try await test.stack.update(Ware.where { $0.number % 7 == 0 }) { $0.amount += 1 }
        let statements = try await test.recorder.statements {
            try Ware.deleteAll(in: context)
            try await context.save()
        }
        #expect(statements.filter { $0.hasPrefix("DELETE") }.count == 3)
        #expect(try Ware.count(in: context) == 0)
    }

    @Test func `a row changed elsewhere since a deletion by filter is a conflict`() async throws {
        try Ware.delete(in: context) { $0.number <= 50 }
        try await test.stack.update(Ware.where { $0.number == 9 }) { $0.amount += 1 }
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .conflict && error?.conflicts.count == 1)
        #expect(try Ware.count(in: test.stack.newContext()) == 200)
        context.rollback()
        #expect(try Ware.count(in: context) == 200)
    }

    @Test func `rows deleted elsewhere since a deletion by filter are no conflict`() async throws {
        try Ware.delete(in: context) { $0.number <= 50 }
        try await test.stack.delete(Ware.where { $0.number <= 10 })
        try await context.save()
        #expect(try Ware.count(in: context) == 150)
    }

    @Test func `a deletion by filter also applies to unsaved values and new objects`() async throws
    {
        let first = try #require(try Ware.findFirst(by: \.number, 1, in: context))
        first.number = 1_000
        let new = try Ware.create(in: context, number: 2_000)
        #expect(try Ware.delete(in: context) { $0.number >= 199 } == 4)
        #expect(new.objectState == .detached)
        try await context.save()
        #expect(try Ware.count(in: context) == 197)
    }

    @Test func `a rollback undoes a deletion by filter`() throws {
        try Ware.deleteAll(in: context)
        context.rollback()
        #expect(try Ware.find(in: context).map(\.name).prefix(3) == ["w1", "w2", "w3"])
    }

    @Test func `a deletion by filter marks the loaded objects of its context deleted`() async throws
    {
        let held = try Ware.find(in: context)
        try Ware.delete(in: context) { $0.name == "w5" }
        #expect(held.filter { $0.objectState == .deleted }.count == 20)
        #expect(held[4].name == "w5")
        try await context.save()
        #expect(held.filter { $0.objectState == .detached }.count == 20)
    }
}
