import RecordStack

extension Ours {
    /// Saves persons one by one, with blocking saves.
    func saves(of rows: [PersonRow]) -> any Contender {
        OurSaves(rows: rows, directory: directory)
    }

    /// Saves persons one by one, with awaited saves.
    func awaitedSaves(of rows: [PersonRow]) -> any Contender {
        OurAwaitedSaves(rows: rows, directory: directory)
    }
}

/// The shared part of both contenders. No variable keeps the objects.
private class OurSavesBase {
    let rows: [PersonRow]
    private let directory: WorkDirectory
    private let path: String
    private(set) var stack: ContextStack?

    init(rows: [PersonRow], directory: WorkDirectory) {
        self.rows = rows
        self.directory = directory
        path = directory.path("saves-ours.sqlite")
    }

    func prepare() async throws {
        stack = try ContextStack(for: Person.self, at: .file(path))
    }

    func finish() async throws {
        try stack?.close()
        stack = nil
        directory.removeStore(path)
    }

    func storedFingerprint() throws -> Fingerprint {
        try StoredRows.fingerprint(of: path)
    }
}

private final class OurSaves: OurSavesBase, Contender {
    let name = "ours"

    func run() throws {
        guard let stack else { return }
        let context = stack.newContext()
        for row in rows {
            try Person.insert(row, in: context)
            try context.saveAndWait()
        }
    }

    func fingerprint() async throws -> Fingerprint {
        try await prepare()
        try run()
        let fingerprint = try storedFingerprint()
        try await finish()
        return fingerprint
    }
}

private final class OurAwaitedSaves: OurSavesBase, Contender {
    let name = "ours awaited"

    func run() async throws {
        guard let stack else { return }
        let context = stack.newContext()
        for row in rows {
            try Person.insert(row, in: context)
            try await context.save()
        }
    }

    func fingerprint() async throws -> Fingerprint {
        try await prepare()
        try await run()
        let fingerprint = try storedFingerprint()
        try await finish()
        return fingerprint
    }
}
