import RecordStack

extension Ours {
    /// A program that opens a store, which nobody else has open, and finds a person.
    func firstObject(_ person: PersonRow) async throws -> any Contender {
        let path = directory.path("first-ours.sqlite")
        try await makeStore(at: path)
        return try ProgramRun(
            name: "ours", program: "FirstObject", arguments: [path, person.email],
            finding: person)
    }
}
