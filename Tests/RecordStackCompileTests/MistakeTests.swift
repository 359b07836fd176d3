import Testing

/// What people write in their first hour, from memory of other libraries or by guessing.
@Suite struct MistakeTests {
    @Test(arguments: Mistake.all) func `a mistake is one message, where it stands`(
        _ mistake: Mistake
    ) async throws {
        try await mistake.check()
    }

    @Test func `what is to be written instead compiles`() async throws {
        let sources = Mistake.all.enumerated().map { $1.right.source(named: "Right\($0)") }
        let outcome = try await SwiftCompiler.shared.value.compile(sources)
        #expect(outcome.succeeded, "\(outcome.errors.map(\.message))\n\(outcome.output)")
    }

    @Test func `the table has at least sixty rows`() {
        #expect(Mistake.all.count >= 60)
        #expect(Set(Mistake.all.map(\.name)).count == Mistake.all.count)
    }
}

extension Mistake {
    static let all = [entities, attributes, relationships, verbs, filters, contexts].flatMap { $0 }
}
