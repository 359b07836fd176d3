struct W10: Workload {
    let id = "W10"

    func what(_ scale: Scale) -> String {
        "delete \(Scale.short(scale.changed)) objects with two others each by cascade, save"
    }

    func unit(_ scale: Scale) -> Unit { .milliseconds }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        [Comparison(try OurDeletion(lab), against: try RawDeletion(lab), gate: 3, moonshot: 1.5)]
    }

    // There is only one floor, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint {
        lab.graph.fingerprint(deleting: lab.scale.changed)
    }
}
