import RecordStack

extension Ours {
    /// Measures the memory of a live object, including its entry in the context's map.
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

    /// Returns the bytes of each object. Earlier runs have filled SQLite's page cache.
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
