import Testing

/// Mistakes that people make in their first hour, by guessing or from memory of other libraries.
@Suite("Mistakes of beginners") struct MistakeTests {
    @Test(arguments: Mistake.all)
    func `the compiler reports a common mistake once, at the faulty line`(
        _ mistake: Mistake
    ) async throws {
        try await mistake.check()
    }

    @Test func `the correction of every common mistake compiles`() async throws {
        let sources = Mistake.all.enumerated().map { $1.right.source(named: "Right\($0)") }
        let outcome = try await SwiftCompiler.shared.value.compile(sources)
        #expect(outcome.succeeded, "\(outcome.errors.map(\.message))\n\(outcome.output)")
    }

    @Test func `the table of common mistakes has at least 60 rows with unique names`() {
        #expect(Mistake.all.count >= 60)
        #expect(Set(Mistake.all.map(\.name)).count == Mistake.all.count)
    }
}

extension Mistake {
    static let all = [entities, attributes, relationships, verbs, filters, contexts].flatMap { $0 }
}
