struct W4: Workload {
    let id = "W4"

    func what(_ scale: Scale) -> String { "object by ID, \(scale.name) random, all registered" }

    func unit(_ scale: Scale) -> Unit { Unit(symbol: "ns", size: Double(scale.persons)) }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let map = try FloorMapLookUps(lab)
        return [
            Comparison(
                try await lab.ours.objectsByID(.registeredObject), against: map, gate: 3,
                moonshot: 1),
            Comparison(
                try await lab.ours.objectsByID(.existing), against: map,
                label: "existing: \(map.name)"),
        ]
    }

    // There is only one floor, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }
}
