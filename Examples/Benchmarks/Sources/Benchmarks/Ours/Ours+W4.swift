import RecordStack

extension Ours {
    enum ByID {
        /// A look-up of the object that the context holds, without a query.
        case registeredObject
        /// An operation, which merges new commits and queries the store if necessary.
        case existing
    }

    /// Looks up each person by ID, in random order, in a context that holds all persons.
    func objectsByID(_ call: ByID) async throws -> any Contender {
        try OurLookUpsByID(stack: try await filledStack(), call: call)
    }
}

private final class OurLookUpsByID: Contender {
    let name: String
    private let context: ManagedObjectContext
    private let call: Ours.ByID
    private let held: [Person]
    private let ids: [ManagedObjectID]

    init(stack: ContextStack, call: Ours.ByID) throws {
        name = call == .existing ? "ours, existing" : "ours"
        self.call = call
        context = stack.newContext()
        held = try Person.find(in: context)
        var generator = SplitMix64(seed: 4)
        ids = held.map(\.objectID).shuffled(using: &generator)
    }

    func run() throws {
        var sum = 0
        switch call {
        case .registeredObject:
            for id in ids {
                if let person = context.registeredObject(id) as? Person { sum &+= person.age }
            }
        case .existing:
            for id in ids { sum &+= try Person.existing(id, in: context).age }
        }
        guard sum > 0 else { throw Failure("ours has nobody") }
    }

    func fingerprint() throws -> Fingerprint {
        Fingerprint(of: try ids.map { try Person.existing($0, in: context) })
    }
}
