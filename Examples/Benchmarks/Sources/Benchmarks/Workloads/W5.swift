struct W5: Workload {
    let id = "W5"

    func what(_ scale: Scale) -> String {
        "insert \(scale.name) in one saveWithBlock, through root to disk"
    }

    func unit(_ scale: Scale) -> Unit { .milliseconds }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let ours = try await lab.ours.insert()
        return [
            Comparison(ours, against: FloorInsert(lab), gate: 1.0, moonshot: 0.8),
            Comparison(ours, against: GRDBInsert(lab), gate: 0.22),
        ]
    }

    func peers(_ lab: Lab) throws -> [any Contender] {
        [FloorInsert(lab), GRDBInsert(lab)]
    }
}
