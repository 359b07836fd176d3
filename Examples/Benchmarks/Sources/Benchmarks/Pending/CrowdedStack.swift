import RecordStack

/// A stack with contexts that hold items during saves.
@MainActor final class CrowdedStack {
    private let stack: ContextStack
    private let code: String
    private var contexts: [(context: ManagedObjectContext, items: [Item])] = []
    private let held: [Item]

    /// Creates the contexts.
    ///
    /// - Parameters:
    ///   - code: the code of the item that is changed.
    ///   - count: the number of contexts that hold ten items each.
    ///   - heldCount: the number of items that the default context holds.
    init(_ stack: ContextStack, changing code: String, contexts count: Int, held heldCount: Int)
        throws
    {
        self.stack = stack
        self.code = code
        contexts = try (0..<count).map { _ in
            let context = stack.newContext()
            return (context, try Item.find(limit: 10, in: context))
        }
        held = heldCount == 0 ? [] : try Item.find(limit: heldCount, in: stack.defaultContext)
        guard held.count == heldCount, contexts.allSatisfy({ $0.items.count == 10 }) else {
            throw Failure("there are not enough items")
        }
    }

    /// Changes a row and saves it, repeatedly.
    func save(times: Int) async throws {
        let code = code
        for _ in 0..<times {
            try await stack.saveWithBlock { context in
                try Item.findFirst(by: \.code, code, in: context)?.weight += 1
            }
        }
    }

    /// Returns the stored weight of the item that is changed.
    func weight() throws -> Int {
        let context = stack.newContext()
        guard let item = try Item.findFirst(by: \.code, code, in: context) else {
            throw Failure("there is no \(code)")
        }
        return item.weight
    }
}

/// Saves one row repeatedly. The figure is the time of one save.
final class CrowdedSaves: Contender {
    let name: String
    private let crowd: CrowdedStack
    private let times: Int

    init(_ name: String, in crowd: CrowdedStack, times: Int) {
        self.name = name
        self.crowd = crowd
        self.times = times
    }

    func run() async throws { try await crowd.save(times: times) }
    func measure() async throws -> Double { try await time() / Double(times) }

    func fingerprint() async throws -> Fingerprint {
        let before = try await crowd.weight()
        try await run()
        let after = try await crowd.weight()
        if after != before + times { throw Failure("\(name): \(after - before) saves") }
        return Fingerprint()
    }
}
