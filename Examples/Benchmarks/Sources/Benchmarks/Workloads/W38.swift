struct W38: Workload {
    let id = "W38"

    func what(_ scale: Scale) -> String {
        "delete \(Scale.short(scale.changed)) objects one by one with a cascade; delete a chain of new objects"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: 1) }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let deletion = BoxDeletion(lab: lab, count: lab.scale.changed)
        let beads = lab.scale.rounds / 4 * 5
        let few = Scale.short(beads / 20)
        return [
            Comparison(try deletion.ours(), against: deletion.raw(), gate: 3, moonshot: 1.5),
            Comparison(
                BeadChain(lab: lab, count: beads).run(),
                against: BeadChain(lab: lab, count: beads / 20).run(times: 20),
                label: "chain: per 1 of \(few)", gate: 1.5, moonshot: 1.5),
        ]
    }

    // There is only one floor, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { Fingerprint() }
}
