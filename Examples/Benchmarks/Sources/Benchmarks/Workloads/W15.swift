struct W15: Workload {
    let id = "W15"

    func what(_ scale: Scale) -> String {
        "walk \(Scale.short(scale.persons * 3)) links of many to many"
    }

    func unit(_ scale: Scale) -> Unit { .milliseconds }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        [Comparison(try OurLinkWalk(lab), against: try FloorLinkWalk(lab), gate: 2, moonshot: 1.4)]
    }

    // There is only one floor, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { lab.graph.tagFingerprint }
}
