import RecordStack

extension Ours {
    /// Starts a program that opens a store, which no other process has open, and finds a person.
    func firstObject(_ person: PersonRow) async throws -> any Contender {
        let path = directory.path("first-ours.sqlite")
        try await makeStore(at: path)
        return try ProgramRun(
            name: "ours", program: "FirstObject", arguments: [path, person.email],
            finding: person)
    }
}
