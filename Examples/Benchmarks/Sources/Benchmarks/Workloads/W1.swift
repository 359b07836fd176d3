struct W1: Workload {
    let id = "W1"

    func what(_ scale: Scale) -> String {
        "fetch \(scale.name) as objects into an empty context, then drop them"
    }

    func unit(_ scale: Scale) -> Unit { .milliseconds }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let ours = try await lab.ours.fetchIntoEmptyContext()
        return [
            Comparison(ours, against: try FloorMappedFetch(lab), gate: 0.95, moonshot: 0.75),
            Comparison(ours, against: try GRDBFetch(lab), gate: 1.05, moonshot: 0.85),
            Comparison(ours, against: try GRDBCodableFetch(lab), gate: 0.4),
        ]
    }

    func peers(_ lab: Lab) throws -> [any Contender] {
        [
            try FloorMappedFetch(lab), try FloorFetch(lab), try GRDBFetch(lab),
            try GRDBCodableFetch(lab),
        ]
    }
}
