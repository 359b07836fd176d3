import RecordStack

extension Ours {
    /// Calls `findFirst(by:)` for each of the shuffled texts, in a new context in each run.
    func lookUps() async throws -> any Contender {
        OurLookUps(stack: try await filledStack(), emails: data.shuffledEmails)
    }
}

private final class OurLookUps: Contender {
    let name = "ours"
    private let stack: ContextStack
    private let emails: [String]

    init(stack: ContextStack, emails: [String]) {
        self.stack = stack
        self.emails = emails
    }

    func run() throws {
        let context = stack.newContext()
        var hits = 0
        for email in emails {
            if try Person.findFirst(by: \.email, email, in: context) != nil { hits += 1 }
        }
        guard hits == emails.count else { throw Failure("ours found \(hits)") }
    }

    func fingerprint() throws -> Fingerprint {
        let context = stack.newContext()
        return Fingerprint(
            of: try emails.compactMap { try Person.findFirst(by: \.email, $0, in: context) })
    }
}
