import RecordStack

extension Ours {
    /// Changes one attribute of objects that a context holds, and saves it.
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

    /// The values are changed once beforehand, by a context that is gone: the connection that writes has
    /// the pages then, as that of a stack that has been open for a while, and the objects are as read.
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

    /// Closing writes the log back.
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
