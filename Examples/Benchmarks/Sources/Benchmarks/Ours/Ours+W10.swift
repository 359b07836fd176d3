import RecordStack

extension StoredGraph {
    /// The names of RecordStack's join table.
    static let ours = StoredGraph(
        links: "Person_tags", personOfLink: "Person", tagOfLink: "tags")
}

/// Deletes objects that a context holds, with the objects that their rules delete, and saves.
final class OurDeletion: Contender {
    let name = "ours"
    private let directory: WorkDirectory
    private let count: Int
    private let source: String
    private let path: String
    private var stack: ContextStack?
    private var context: ManagedObjectContext?
    private var people: [Graph.Person] = []

    init(_ lab: Lab) throws {
        directory = lab.directory
        count = lab.scale.changed
        source = try lab.ourGraphStore()
        path = lab.directory.path("deletion-ours.sqlite")
    }

    func prepare() throws {
        try directory.copyStore(source, to: path)
        let stack = try Graph.stack(at: path)
        let context = stack.newContext()
        people = try Graph.Person.find(limit: count, in: context)
        (self.stack, self.context) = (stack, context)
    }

    func run() throws {
        try context?.delete(people)
        try context?.saveAndWait()
    }

    func finish() throws {
        people = []
        context = nil
        try stack?.close()
        stack = nil
        directory.removeStore(path)
    }

    func fingerprint() throws -> Fingerprint {
        try prepare()
        try run()
        let fingerprint = try StoredGraph.ours.fingerprint(of: path)
        try finish()
        return fingerprint
    }
}
