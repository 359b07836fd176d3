import RecordStack
import RecordStackTesting
import Testing

@Suite("Upserts that fail") struct UpsertFailureTests {
    private struct Refused: Error {}

    /// Renames the people with three keys, and throws at the last key.
    private static func upsert(in context: ManagedObjectContext) throws {
        try Person.upsert(["a", "b", "c"], by: \.email, key: { $0 }, in: context) {
            person, email, _ in
            if email == "c" { throw Refused() }
            person.name = "new"
        }
    }

    @Test func `changes that an upsert made before it throws stay pending`() async throws {
        let test = try TestStack(for: Person.self) { context in
            _ = try Person.create(in: context, email: "a", name: "old")
        }
        let stack = test.stack
        let context = stack.newContext()
        #expect(throws: Refused.self) { try Self.upsert(in: context) }
        #expect(try Person.findFirst(by: \.email, "a", in: context)?.name == "new")
        #expect(try Person.findFirst(by: \.email, "b", in: context)?.objectState == .pending)
        context.rollback()
        #expect(!context.hasChanges)
        await #expect(throws: Refused.self) {
            try await stack.saveWithBlock { try Self.upsert(in: $0) }
        }
        #expect(try Person.values(of: \.name, in: stack.newContext()) == ["old"])
    }

    /// The next step after a save that failed because another stack has inserted the key of a
    /// pending object.
    enum Retry: CaseIterable { case sameContext, afterRollback, newContext }

    @Test(arguments: Retry.allCases)
    func `a rollback after a unique violation lets upserts match the stored row`(
        _ retry: Retry
    ) throws {
        let stacks = try TwoStacks.ofPeople(interval: nil)
        let context = stacks.here.newContext()
        func upsert(in context: ManagedObjectContext) throws -> UpsertSummary {
            try Person.upsert(["a"], by: \.email, key: { $0 }, in: context) { person, _, _ in
                person.name = "ours"
            }
        }
        #expect(try upsert(in: context).inserted == 1)
        let pending = try #require(context.insertedObjects.first?.objectID)
        let there = stacks.other.newContext()
        let theirs = try Person.create(in: there, email: "a", name: "theirs").objectID
        try there.saveAndWait()
        func expectConstraint() {
            let error = #expect(throws: RecordStackError.self) { try context.saveAndWait() }
            #expect(error?.code == .constraint && error?.property == "email")
        }
        expectConstraint()
        if retry == .afterRollback { context.rollback() }
        let next = retry == .newContext ? stacks.here.newContext() : context
        #expect(try upsert(in: next).matched == 1)
        if retry == .sameContext {
            #expect(context.insertedObjects.map(\.objectID) == [pending])
            expectConstraint()
        } else {
            try next.saveAndWait()
            let found = try Person.find(in: stacks.here.newContext())
            #expect(found.map(\.objectID) == [theirs] && found.map(\.name) == ["ours"])
        }
    }
}
