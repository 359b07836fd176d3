import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import Testing

/// Expectations of the number of statements.
@Suite("Statement expectations") struct StatementExpectationTests {
    private func makeTest(at location: TestStack.Location = .memory) throws -> TestStack {
        try TestStack(for: Member.self, at: location) { try Factory.member.create(5, in: $0) }
    }

    /// Returns the issue that a body reports, or nil if there is not exactly one.
    private func issue(_ body: () async throws -> Void) async throws -> Issue? {
        let issues = Mutex<[Issue]>([])
        try await withKnownIssue {
            try await body()
        } matching: { issue in
            issues.withLock { $0.append(issue) }
            return true
        }
        return issues.withLock { $0.count == 1 ? $0[0] : nil }
    }

    @Test
    func `expectStatements passes at the expected count and returns the value`() async throws {
        let test = try makeTest()
        let context = test.stack.newContext()
        let members = try test.expectStatements(1) { try Member.find(in: context) }
        #expect(members.count == 5)
        try test.expectStatements(1...2) { _ = try Member.count(in: context) }
        try test.expectStatements(1...) { _ = try Member.count(in: context) }
        try test.expectStatements(..<2) { _ = try Member.count(in: context) }
        test.expectStatements(0) { _ = members.map(\.name) }
        members[0].age = 41
        try await test.expectStatements(1, .writes) { try await context.save() }
        try await test.expectStatements(0, .writes) { try await context.save() }
        try await test.expectStatements(0, .reads) { try await context.save() }
    }

    /// Creates a stack that leases keys so slowly that the caller of a save goes on first.
    /// - Parameter statement: the beginning of the statement that is slow.
    private func makeSlowlyLeasing(at statement: String) throws -> TestStack {
        var options = StoreOptions()
        options.observer = { event in
            if case .statement(_, let sql) = event, sql.hasPrefix(statement) { usleep(20_000) }
        }
        return try TestStack(entities: [Member.self], at: .memory, options: options)
    }

    /// The number of new objects after which a save leases more keys.
    private static let manyMembers = 150

    @Test(arguments: [false, true])
    func `expectStatements does not count background work of earlier saves`(
        byRecorder: Bool
    ) throws {
        let test = try makeSlowlyLeasing(at: "SELECT max(")
        let context = test.stack.newContext()
        try Factory.member.create(Self.manyMembers, in: context)
        try context.saveAndWait()
        if byRecorder {
            let statements = try test.recorder.statements { _ = try Member.count(in: context) }
            #expect(statements.count == 1)
        } else {
            try test.expectStatements(1) { _ = try Member.count(in: context) }
        }
        #expect(test.recorder.statements.filter { $0.hasPrefix("SELECT max(") }.count == 2)
    }

    @Test func `expectStatements counts the background work of a blocking save`() throws {
        let test = try makeSlowlyLeasing(at: "BEGIN")
        let context = test.stack.newContext()
        try Factory.member.create(Self.manyMembers, in: context)
        let statements = try test.recorder.statements { try context.saveAndWait() }
        #expect(statements.filter { $0.hasPrefix("SELECT max(") }.count == 1)

        let other = try makeSlowlyLeasing(at: "BEGIN")
        let others = other.stack.newContext()
        try Factory.member.create(Self.manyMembers, in: others)
        try other.expectStatements(statements.count) { try others.saveAndWait() }
    }

    @Test func `expectStatements counts the background work of an awaited save`() async throws {
        let test = try makeSlowlyLeasing(at: "BEGIN")
        let context = test.stack.newContext()
        try Factory.member.create(Self.manyMembers, in: context)
        let statements = try await test.recorder.statements { try await context.save() }
        #expect(statements.filter { $0.hasPrefix("SELECT max(") }.count == 1)

        let other = try makeSlowlyLeasing(at: "BEGIN")
        let others = other.stack.newContext()
        try Factory.member.create(Self.manyMembers, in: others)
        try await other.expectStatements(statements.count) { try await others.save() }
    }

    @Test func `expectStatements does not count the PRAGMAs of a new connection`() async throws {
        let test = try makeTest(at: .temporaryFile)
        let context = test.stack.newContext()
        test.recorder.reset()
        try test.expectStatements(1) { _ = try Member.count(in: context) }
        #expect(!test.recorder.statements.contains { $0.hasPrefix("PRAGMA") })
    }

    @Test
    func `expectStatements fails with a list of statements if too many run`() async throws {
        let test = try makeTest()
        let context = test.stack.newContext()
        let line = #line + 2
        let issue = try await issue {
            try test.expectStatements(1) {
                _ = try Member.count(in: context)
                for _ in 0..<3 { _ = try Member.exists(in: context) }
            }
        }
        let message = issue?.comments.first?.rawValue ?? ""
        #expect(message.hasPrefix("Expected 1 statement, and 4 ran:\n  1. SELECT"), "\(message)")
        #expect(message.contains("\n  2. SELECT") && message.hasSuffix("(3 times)"), "\(message)")
        #expect(issue?.sourceLocation?.line == line)
        #expect(issue?.sourceLocation?.fileName == "StatementExpectationTests.swift")
    }

    @Test func `a failed expectStatements lists 50 lines and counts the rest`() async throws {
        let test = try makeTest()
        let context = test.stack.newContext()
        let issue = try await issue {
            try test.expectStatements(0) {
                for _ in 0..<30 {
                    _ = try Member.count(in: context)
                    _ = try Member.exists(in: context)
                }
            }
        }
        let lines = issue?.comments.first?.rawValue.split(separator: "\n") ?? []
        #expect(lines.count == 52)
        #expect(lines.first == "Expected 0 statements, and 60 ran:")
        #expect(lines.last == "  and 10 more lines")
    }

    @Test func `expectStatements fails with both counts if too few statements run`() async throws {
        let test = try makeTest()
        let failures = [
            try await issue { test.expectStatements(1) {} },
            try await issue { test.expectStatements(2...3, .reads) {} },
            try await issue { test.expectStatements(1..., .writes) {} },
        ]
        #expect(
            failures.map { $0?.comments.first?.rawValue } == [
                "Expected 1 statement, and 0 ran.",
                "Expected 2 to 3 statements that read, and 0 ran.",
                "Expected at least 1 statement that writes, and 0 ran.",
            ])
    }

    @Test func `expectStatements returns the value on failure and passes errors on`() async throws {
        struct Stop: Error {}
        let test = try makeTest()
        var value = 0
        _ = try await issue { value = test.expectStatements(7) { 42 } }
        #expect(value == 42)
        #expect(throws: Stop.self) { try test.expectStatements(7) { throw Stop() } }
    }
}
