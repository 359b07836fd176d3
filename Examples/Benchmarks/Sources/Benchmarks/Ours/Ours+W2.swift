import RecordStack

extension Ours {
    /// Fetches all persons again, in a context that has them all.
    func fetchRegistered() async throws -> any Contender {
        try OurRefetch(stack: try await filledStack())
    }
}

private final class OurRefetch: Contender {
    let name = "ours"
    private let context: ManagedObjectContext
    private let held: [Person]

    init(stack: ContextStack) throws {
        context = stack.newContext()
        held = try Person.find(in: context)
    }

    func run() throws {
        let persons = try Person.find(in: context)
        guard persons.count == held.count else { throw Failure("ours found \(persons.count)") }
    }

    func fingerprint() throws -> Fingerprint {
        let persons = try Person.find(in: context)
        guard zip(persons, held).allSatisfy({ $0 === $1 }) else {
            throw Failure("ours made objects anew")
        }
        return Fingerprint(of: persons)
    }
}
