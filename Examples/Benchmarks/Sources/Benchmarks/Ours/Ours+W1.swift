import RecordStack

extension Ours {
    /// Fetches all persons into an empty context, then drops both.
    func fetchIntoEmptyContext() async throws -> any Contender {
        OurFetch(stack: try await filledStack(), expected: data.persons.count)
    }
}

private final class OurFetch: Contender {
    let name = "ours"
    private let stack: ContextStack
    private let expected: Int

    init(stack: ContextStack, expected: Int) {
        self.stack = stack
        self.expected = expected
    }

    func run() throws {
        let context = stack.newContext()
        let persons = try Person.find(in: context)
        guard persons.count == expected else { throw Failure("ours found \(persons.count)") }
    }

    func fingerprint() throws -> Fingerprint {
        Fingerprint(of: try Person.find(in: stack.newContext()))
    }
}
