import RecordStack

/// Fetches a hundredth of the persons into an empty context, then drops both.
final class OurFilteredFetch: Contender {
    let name: String
    private let stack: ContextStack
    private let filter: HundredthFilter
    private let kind: HundredthFilter.Kind

    init(_ stack: ContextStack, _ lab: Lab, _ kind: HundredthFilter.Kind) {
        name = "ours, \(kind.rawValue)"
        self.stack = stack
        self.kind = kind
        filter = HundredthFilter(lab)
    }

    private func fetch(
        _ kind: HundredthFilter.Kind, in context: ManagedObjectContext
    ) throws -> [Person] {
        switch kind {
        case .indexed: try Person.find(in: context) { $0.email < filter.textLimit }
        case .scanned: try Person.find(in: context) { $0.visits < filter.visitLimit }
        }
    }

    func run() throws {
        for _ in 0..<HundredthFilter.rounds {
            let context = stack.newContext()
            guard try !fetch(kind, in: context).isEmpty else { throw Failure("ours found nobody") }
        }
    }

    func fingerprint() throws -> Fingerprint {
        let context = stack.newContext()
        return Fingerprint(
            of: try HundredthFilter.Kind.allCases.flatMap {
                try fetch($0, in: context).map(\.row)
            })
    }
}
