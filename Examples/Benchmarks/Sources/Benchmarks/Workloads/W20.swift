struct W20: Workload {
    let id = "W20"

    func what(_ scale: Scale) -> String {
        "memory of a live object, its map entry included, \(scale.name) fetched"
    }

    func unit(_ scale: Scale) -> Unit { .bytesEach }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let ours = try await lab.ours.memory()
        return [
            Comparison(ours, against: try FloorMemory(lab), gate: 1.3, moonshot: 1.15),
            Comparison(ours, against: try FloorMappedMemory(lab)),
        ]
    }

    func peers(_ lab: Lab) throws -> [any Contender] {
        [try FloorMemory(lab), try FloorMappedMemory(lab)]
    }
}
