import RecordStack

/// RecordStack's side: a contender for each workload, in a file for each.
final class Ours {
    let data: PersonData
    let directory: WorkDirectory
    private var filled: ContextStack?
    var hasMergeStore = false

    init(data: PersonData, directory: WorkDirectory) {
        self.data = data
        self.directory = directory
    }

    /// Returns a stack with all persons and an empty log.
    func filledStack() async throws -> ContextStack {
        if let filled { return filled }
        let path = directory.path("ours.sqlite")
        try await makeStore(at: path)
        let stack = try ContextStack(for: Person.self, at: .file(path))
        filled = stack
        return stack
    }

    func stack(at path: String) throws -> ContextStack {
        try ContextStack(for: Person.self, at: .file(path))
    }

    /// Creates a file with all persons.
    func makeStore(at path: String) async throws {
        let writer = try ContextStack(for: Person.self, at: .file(path))
        let rows = data.persons
        try await writer.saveWithBlock { context in
            for row in rows { try Person.insert(row, in: context) }
        }
        try writer.close()
    }
}
