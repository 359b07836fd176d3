import RecordStack

extension Ours {
    /// Inserts all persons in a child of the default context, and saves it, down to the disk.
    func insertInChild(under architecture: StackArchitecture) -> any Contender {
        OurInsertInChild(data: data, directory: directory, architecture: architecture)
    }
}

private final class OurInsertInChild: Contender {
    let name: String
    private let data: PersonData
    private let directory: WorkDirectory
    private let architecture: StackArchitecture
    private let path: String
    private var stack: ContextStack?

    init(data: PersonData, directory: WorkDirectory, architecture: StackArchitecture) {
        name = "\(architecture)"
        self.data = data
        self.directory = directory
        self.architecture = architecture
        path = directory.path("insert-\(architecture).sqlite")
    }

    func prepare() async throws {
        stack = try ContextStack(for: Person.self, at: .file(path), architecture: architecture)
    }

    func run() async throws {
        guard let stack else { return }
        let rows = data.persons
        try await MainActor.run {
            let context = stack.defaultContext.newChild()
            for row in rows { try Person.insert(row, in: context) }
            try context.saveAndWait()
        }
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
