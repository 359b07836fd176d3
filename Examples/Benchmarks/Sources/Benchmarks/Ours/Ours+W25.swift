import RecordStack

/// A stack, with a context for each thread.
final class OurCrowd: Crowd {
    let name = "ours"
    private let stack: ContextStack
    private let windows: EmailWindows

    init(_ lab: Lab) async throws {
        windows = EmailWindows(lab)
        let path = lab.directory.path("crowd-ours.sqlite")
        try await lab.ours.makeStore(at: path)
        stack = try ContextStack(for: Person.self, at: .file(path))
    }

    func makeReader(seed: UInt64) -> () throws -> Int {
        let context = stack.newContext()
        var generator = SplitMix64(seed: seed)
        return { [windows] in
            let window = windows.random(&generator)
            return try Person.find(in: context) {
                $0.email >= window.lowerBound && $0.email < window.upperBound
            }.count
        }
    }

    func makeWriter() throws -> () throws -> Void {
        let context = stack.newContext()
        let persons = try Person.find(limit: 1_000, in: context)
        var place = 0
        return {
            persons[place % persons.count].visits += 1
            place += 1
            try context.saveAndWait()
        }
    }

    func rows() throws -> [PersonRow] { try Person.find(in: stack.newContext()).map(\.row) }
}
