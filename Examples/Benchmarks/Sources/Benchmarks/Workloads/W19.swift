struct W19: Workload {
    let id = "W19"

    func what(_ scale: Scale) -> String {
        "main actor stall (p99.9) while \(scale.name) of flat JSON are imported"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: 1) }

    var remark: String? {
        "How late a beat of the main actor, one each millisecond, has fetched ten objects. Beside C: the same beat "
            + "while parsed rows are upserted by hand into another file."
    }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let path = lab.directory.path("beat-ours.sqlite")
        try await lab.ours.makeStore(at: path)
        let stack = try lab.ours.stack(at: path)
        return [
            Comparison(
                OurBeat(stack, lab), against: try FloorBeat(stack, lab), gate: 2, moonshot: 1.2)
        ]
    }

    // Both beat in our own stack.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }
}
