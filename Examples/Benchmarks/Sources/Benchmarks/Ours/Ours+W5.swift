import RecordStack

extension Ours {
    /// Inserts all persons in one `saveWithBlock`, to the disk.
    func insert() async throws -> any Contender {
        OurInsert("ours", data, directory) { stack, rows in
            try await stack.saveWithBlock { context in
                for row in rows { try Person.insert(row, in: context) }
            }
        }
    }
}

/// Inserts all persons in a given way, into a new file.
final class OurInsert: Contender {
    typealias Way = @Sendable (ContextStack, [PersonRow]) async throws -> Void

    let name: String
    private let data: PersonData
    private let directory: WorkDirectory
    private let architecture: StackArchitecture
    private let way: Way
    private let path: String
    private var stack: ContextStack?

    init(
        _ name: String, _ data: PersonData, _ directory: WorkDirectory,
        architecture: StackArchitecture = .savingRoot, _ way: @escaping Way
    ) {
        self.name = name
        self.data = data
        self.directory = directory
        self.architecture = architecture
        self.way = way
        path = directory.path("insert-\(name).sqlite")
    }

    func prepare() async throws {
        stack = try ContextStack(for: Person.self, at: .file(path), architecture: architecture)
    }

    func run() async throws {
        if let stack { try await way(stack, data.persons) }
    }

    func finish() async throws {
        try stack?.close()
        stack = nil
        directory.removeStore(path)
    }

    func fingerprint() async throws -> Fingerprint {
        try await prepare()
        try await run()
        let fingerprint = try StoredRows.fingerprint(of: path)
        try await finish()
        return fingerprint
    }
}
