import RecordStack

extension Ours {
    /// Inserts all persons in one `saveWithBlock`, down to the disk.
    func insert() async throws -> any Contender {
        OurInsert(data: data, directory: directory)
    }
}

private final class OurInsert: Contender {
    let name = "ours"
    private let data: PersonData
    private let directory: WorkDirectory
    private let path: String
    private var stack: ContextStack?

    init(data: PersonData, directory: WorkDirectory) {
        self.data = data
        self.directory = directory
        path = directory.path("insert-ours.sqlite")
    }

    func prepare() async throws {
        stack = try ContextStack(for: Person.self, at: .file(path))
    }

    func run() async throws {
        let rows = data.persons
        try await stack?.saveWithBlock { context in
            for row in rows { try Person.insert(row, in: context) }
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
