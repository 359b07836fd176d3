import RecordStack

extension Ours {
    /// Returns the path of a file with all persons, for contexts that follow each other.
    func mergeStore() async throws -> String {
        let path = directory.path("merge-ours.sqlite")
        if !hasMergeStore {
            try await makeStore(at: path)
            hasMergeStore = true
        }
        return path
    }
}

/// Merges what another context has saved: an attribute of a tenth of the persons.
///
/// The save itself is not timed, because merging is suspended until it has ended.
final class OurMerge: Contender {
    let name: String
    private let path: String
    private let count: Int
    private let isHolding: Bool
    private var stack: ContextStack?
    private var context: ManagedObjectContext?
    private var held: [Person] = []

    init(_ lab: Lab, at path: String, holding isHolding: Bool) {
        name = isHolding ? "ours" : "ours, none held"
        self.path = path
        self.isHolding = isHolding
        count = lab.scale.changed
    }

    /// Sets values that a second save restores, so that the file stays the same.
    func prepare() throws {
        let stack = try ContextStack(for: Person.self, at: .file(path))
        self.stack = stack
        let count = count
        try stack.addToVisits(1, of: count)
        let context = stack.newContext()
        self.context = context
        if isHolding { held = try Person.find(limit: count, in: context) }
        context.suspendMerging()
        try stack.addToVisits(-1, of: count)
    }

    func run() throws { context?.resumeMerging() }

    func finish() throws {
        held = []
        context = nil
        try stack?.close()
        stack = nil
    }

    /// Returns the number of statements of a merge.
    fileprivate func statements() throws -> Int {
        try prepare()
        let before = stack?.storeStatistics
        try run()
        let after = stack?.storeStatistics
        try finish()
        guard let before, let after else { throw Failure("there is no stack") }
        return (after - before).statements
    }

    func fingerprint() throws -> Fingerprint {
        try prepare()
        try run()
        guard let context else { throw Failure("there is no context") }
        let people = isHolding ? held : try Person.find(limit: count, in: context)
        let fingerprint = Fingerprint(of: people)
        try finish()
        return fingerprint
    }
}

/// The number of statements that the merge takes.
final class OurMergeStatements: Contender {
    let name = "ours, statements"
    private let merge: OurMerge

    init(_ lab: Lab, at path: String) {
        merge = OurMerge(lab, at: path, holding: true)
    }

    func run() throws { _ = try measure() }
    func measure() throws -> Double { Double(try merge.statements()) }
    func fingerprint() throws -> Fingerprint { try merge.fingerprint() }
}

extension ContextStack {
    fileprivate func addToVisits(_ difference: Int, of count: Int) throws {
        try saveWithBlockAndWait { context in
            for person in try Person.find(limit: count, in: context) { person.visits += difference }
        }
    }
}
