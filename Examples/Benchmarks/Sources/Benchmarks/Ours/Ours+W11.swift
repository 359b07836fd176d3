import RecordStack

extension Ours {
    /// Returns the path of a file with all persons, which is not open and has no log.
    func filledFile() async throws -> String {
        let path = directory.path("emptying-source.sqlite")
        try await makeStore(at: path)
        return path
    }
}

/// Deletes all persons: at once through the stack, or in a context that is saved.
final class OurEmptying: Contender {
    let name: String
    private let directory: WorkDirectory
    private let source: String
    private let path: String
    private let isInContext: Bool
    private var stack: ContextStack?
    private var context: ManagedObjectContext?

    init(_ lab: Lab, _ source: String, inContext: Bool) {
        name = inContext ? "ours, in a context" : "ours, stack.delete"
        directory = lab.directory
        self.source = source
        path = lab.directory.path("emptying-ours-\(inContext).sqlite")
        isInContext = inContext
    }

    func prepare() throws {
        try directory.copyStore(source, to: path)
        let stack = try ContextStack(for: Person.self, at: .file(path))
        self.stack = stack
        context = stack.newContext()
    }

    func run() throws {
        if isInContext, let context {
            try Person.deleteAll(in: context)
            try context.saveAndWait()
        } else {
            try stack?.deleteAndWait(Person.all)
        }
    }

    func finish() throws {
        context = nil
        try stack?.close()
        stack = nil
        directory.removeStore(path)
    }

    func fingerprint() throws -> Fingerprint {
        try prepare()
        try run()
        context = nil
        try stack?.close()
        stack = nil
        defer { directory.removeStore(path) }
        return try StoredRows.fingerprint(of: path)
    }
}
