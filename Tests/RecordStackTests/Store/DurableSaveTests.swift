import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Saves that wait for the disk, and later saves that do not.
@Suite("Durable saves") struct DurableSaveTests {
    /// Returns the settings and transactions of the writer, as `FULL`, `NORMAL`, `begin` and
    /// `commit`.
    private func commits(_ test: TestStack, _ body: () async throws -> Void) async throws -> String
    {
        let before = test.recorder.events.count
        try await body()
        return test.recorder.events.dropFirst(before).compactMap { event in
            guard case .statement(connection: 1, let sql) = event else { return nil }
            switch sql {
            case "PRAGMA synchronous=FULL": return "FULL"
            case "PRAGMA synchronous=NORMAL": return "NORMAL"
            case "BEGIN IMMEDIATE": return "begin"
            case "COMMIT": return "commit"
            default: return nil
            }
        }.joined(separator: " ")
    }

    private let durable = "FULL begin commit NORMAL"

    private func makeStack() throws -> (TestStack, ManagedObjectContext, Person) {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        try savePeople(3, in: test.stack)
        let context = test.stack.newContext()
        let person = try #require(try Person.findFirst(by: \.email, "p0", in: context))
        return (test, context, person)
    }

    @Test func `a durable save of a context waits for the disk`() async throws {
        let (test, context, person) = try makeStack()
        person.name = "a"
        #expect(try await commits(test) { try await context.save(.durable) } == durable)
        person.name = "b"
        #expect(try await commits(test) { try await context.save() } == "begin commit")
        person.name = "c"
        #expect(
            try await commits(test) { try wait { try context.saveAndWait(.durable) } } == durable)
        person.name = "d"
        #expect(
            try await commits(test) { try wait { try context.saveAndWait() } } == "begin commit")
        #expect(try await commits(test) { try await context.save(.durable) } == "")
    }

    /// Calls a waiting form. The compiler refuses these in async code, but this is a test of them.
    private func wait(_ body: () throws -> SaveOutcome) throws { _ = try body() }

    @Test func `a durable save block of a stack waits for the disk`() async throws {
        let (test, _, _) = try makeStack()
        let stack = test.stack
        #expect(
            try await commits(test) {
                try await stack.saveWithBlock(.durable) { try Person.rename("a", in: $0) }
            } == durable)
        #expect(
            try await commits(test) {
                try await stack.saveWithBlock { try Person.rename("b", in: $0) }
            } == "begin commit")
        #expect(
            try await commits(test) {
                try wait {
                    try stack.saveWithBlockAndWait(.durable) { try Person.rename("c", in: $0) }
                    return .noChanges
                }
            } == durable)
        let completed = try await commits(test) {
            try await withCheckedThrowingContinuation { continuation in
                stack.saveWithBlock(.durable, { try Person.rename("d", in: $0) }) {
                    continuation.resume(with: $0)
                }
            }
        }
        #expect(completed == durable)
    }

    @Test
    func `a context's durable blocks and root's durable saves wait for the disk`() async throws {
        let (test, context, person) = try makeStack()
        person.name = "of the parent"
        #expect(
            try await commits(test) {
                try await context.saveWithBlock(.durable) { try Person.rename("a", in: $0) }
            } == durable)
        #expect(
            try await commits(test) {
                try wait {
                    try context.saveWithBlockAndWait(.durable) { try Person.rename("b", in: $0) }
                    return .noChanges
                }
            } == durable)
        let completed = try await commits(test) {
            try await withCheckedThrowingContinuation { continuation in
                context.saveWithBlock(.durable, { try Person.rename("c", in: $0) }) {
                    continuation.resume(with: $0)
                }
            }
        }
        #expect(completed == durable)
        #expect(
            try await commits(test) {
                try await test.stack.rootSavingContext.perform { context in
                    try Person.rename("d", in: context)
                    try context.saveAndWait(.durable)
                }
            } == durable)
    }

    @Test func `a failed durable save does not make later saves durable`() async throws {
        let (test, context, person) = try makeStack()
        person.email = "p1"
        let failed = try await commits(test) {
            #expect(
                await RecordStackError.of { try await context.save(.durable) }?.code == .constraint)
        }
        #expect(failed == "FULL begin NORMAL")
        person.email = "mended"
        #expect(try await commits(test) { try await context.save() } == "begin commit")
    }

    @Test func `a durable save works in a store in memory`() async throws {
        let test = try TestStack(for: Person.self)
        try savePeople(2, in: test.stack, .durable)
        #expect(try peopleCount(test.stack) == 2)
    }
}

extension Person {
    /// Renames one of the people.
    static func rename(_ name: String, in context: ManagedObjectContext) throws {
        try Person.findFirst(by: \.email, "p1", in: context)?.name = name
    }
}
