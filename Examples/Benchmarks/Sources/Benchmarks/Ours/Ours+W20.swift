import RecordStack

extension Ours {
    /// What a live object takes, its place in the context's map included.
    func memory() async throws -> any Contender {
        OurMemory(stack: try await filledStack())
    }
}

private final class OurMemory: Contender {
    let name = "ours"
    private let stack: ContextStack

    init(stack: ContextStack) {
        self.stack = stack
    }

    func run() throws { _ = try measure() }

    /// Bytes of each object. SQLite's page cache is full from the runs before.
    func measure() throws -> Double {
        let before = Heap.bytesInUse
        let context = stack.newContext()
        let persons = try Person.find(in: context)
        let after = Heap.bytesInUse
        return withExtendedLifetime((context, persons)) {
            Double(after - before) / Double(persons.count)
        }
    }

    func fingerprint() throws -> Fingerprint {
        Fingerprint(of: try Person.find(in: stack.newContext()))
    }
}
