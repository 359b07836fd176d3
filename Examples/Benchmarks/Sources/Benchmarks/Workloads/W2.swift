struct W2: Workload {
    let id = "W2"

    func what(_ scale: Scale) -> String {
        "fetch \(scale.name) again, all registered"
    }

    func unit(_ scale: Scale) -> Unit { .milliseconds }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let ours = try await lab.ours.fetchRegistered()
        return [Comparison(ours, against: try FloorMappedFetch(lab), gate: 0.36, moonshot: 0.2)]
    }

    // A second fetch makes no difference without a context, so the peers are those of W1.
    func peers(_ lab: Lab) throws -> [any Contender] {
        [try FloorMappedFetch(lab), try FloorFetch(lab)]
    }
}
