struct W22: Workload {
    let id = "W22"

    func what(_ scale: Scale) -> String {
        "process start to first object of a store of \(scale.name) rows"
    }

    func unit(_ scale: Scale) -> Unit { .milliseconds }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let ours = try await lab.ours.firstObject(Self.wanted(lab))
        return [Comparison(ours, against: try Self.floor(lab), gate: 1.3, moonshot: 1.1)]
    }

    /// Returns the hand-written program, with a file that no other process has open.
    private static func floor(_ lab: Lab) throws -> any Contender {
        let path = lab.directory.path("first-floor.sqlite")
        try PersonSchema.makeStore(at: path, lab.data, filled: true)
        let person = wanted(lab)
        return try ProgramRun(
            name: "C API", program: "FirstObjectFloor",
            arguments: [
                path, person.email, Pragma.script,
                "SELECT \(PersonSchema.columnList) FROM person WHERE \"email\" = ?",
            ], finding: person)
    }

    private static func wanted(_ lab: Lab) -> PersonRow {
        lab.data.persons[lab.scale.persons / 2]
    }

    // There is only one other program, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { Fingerprint(of: [Self.wanted(lab)]) }
}
