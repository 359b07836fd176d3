struct W11: Workload {
    let id = "W11"

    func what(_ scale: Scale) -> String {
        "delete all \(scale.name): stack.delete, and in a context with its save"
    }

    func unit(_ scale: Scale) -> Unit { .milliseconds }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let source = try await lab.ours.filledFile()
        return [
            Comparison(
                OurEmptying(lab, source, inContext: false),
                against: try RawEmptying(lab, byKeys: false), gate: 1.3, moonshot: 1.05),
            Comparison(
                OurEmptying(lab, source, inContext: true),
                against: try RawEmptying(lab, byKeys: true), gate: 1.5, moonshot: 1.2),
        ]
    }

    // There is only one floor for each kind, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { Fingerprint(of: []) }
}
