import RecordStack

extension Ours {
    /// Changes one attribute of objects that a context holds, and saves.
    func update(_ change: VisitChange) async throws -> any Contender {
        let path = directory.path("update-ours.sqlite")
        try await makeStore(at: path)
        return OurUpdate(change: change, path: path)
    }
}

private final class OurUpdate: Contender {
    let name = "ours"
    private let change: VisitChange
    private let path: String
    private var stack: ContextStack?
    private var context: ManagedObjectContext?
    private var people: [Person] = []

    init(change: VisitChange, path: String) {
        self.change = change
        self.path = path
    }

    /// Changes the values once before the run, in a context that is then released.
    ///
    /// The connection that writes then has the pages in its cache, as in a stack that has been open
    /// for a while, and the objects have no unsaved changes.
    func prepare() throws {
        let stack = try ContextStack(for: Person.self, at: .file(path))
        self.stack = stack
        let visits = change.visitsBefore
        try stack.saveWithBlockAndWait { context in
            setVisits(of: try Person.find(limit: visits.count, in: context), to: visits)
        }
        let context = stack.newContext()
        people = try Person.find(limit: change.count, in: context)
        self.context = context
    }

    func run() throws {
        setVisits(of: people, to: change.visits)
        try context?.saveAndWait()
    }

    /// Closes the stack, which writes the log back.
    func finish() throws {
        people = []
        context = nil
        try stack?.close()
        stack = nil
    }

    func fingerprint() throws -> Fingerprint {
        try prepare()
        try run()
        try finish()
        return try StoredRows.fingerprint(of: path)
    }
}

private func setVisits(of people: [Person], to visits: [Int]) {
    for index in people.indices { people[index].visits = visits[index] }
}
