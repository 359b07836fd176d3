struct W14: Workload {
    let id = "W14"

    func what(_ scale: Scale) -> String {
        "\(Scale.short(GraphData.companyCount)) companies and their \(scale.name) persons"
    }

    func unit(_ scale: Scale) -> Unit { .milliseconds }

    var remark: String? {
        "The lines of statements count them: ours is their number, and they are held against 1."
    }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        [
            Comparison(
                try OurCompanyWalk(lab, prefetching: true), against: try FloorCompanyWalk(lab),
                label: "prefetched: R2, 2 SELECTs", gate: 1.4, moonshot: 1.15),
            Comparison(
                try OurCompanyWalk(lab, prefetching: false), against: try FloorCompanyWalk(lab),
                label: "one by one: R2, 2 SELECTs"),
            Comparison(
                try OurCompanyStatements(lab, prefetching: true),
                against: OneStatement(lab.graph.companyFingerprint),
                label: "prefetched: statements", gate: 3),
            Comparison(
                try OurCompanyStatements(lab, prefetching: false),
                against: OneStatement(lab.graph.companyFingerprint),
                label: "one by one: statements", gate: 20),
        ]
    }

    // There is only one floor, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { lab.graph.companyFingerprint }
}
