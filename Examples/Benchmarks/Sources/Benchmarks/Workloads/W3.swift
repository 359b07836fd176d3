struct W3: Workload {
    let id = "W3"

    func what(_ scale: Scale) -> String {
        "findFirst(by:) a unique key, \(scale.name) random, cold"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: scale.persons) }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let ours = try await lab.ours.lookUps()
        return [
            Comparison(ours, against: try FloorLookUps(lab), gate: 1.3, moonshot: 0.7),
            Comparison(ours, against: try GRDBLookUps(lab), gate: 0.15),
            Comparison(ours, against: try GRDBCachedLookUps(lab)),
        ]
    }

    func peers(_ lab: Lab) throws -> [any Contender] {
        [try FloorLookUps(lab), try GRDBLookUps(lab), try GRDBCachedLookUps(lab)]
    }
}
