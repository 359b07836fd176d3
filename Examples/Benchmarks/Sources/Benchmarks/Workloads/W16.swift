struct W16: Workload {
    let id = "W16"

    func what(_ scale: Scale) -> String {
        "merge a save of \(Scale.short(scale.changed)) updates into a context that holds them"
    }

    func unit(_ scale: Scale) -> Unit { .milliseconds }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let path = try await lab.ours.mergeStore()
        let ours = OurMerge(lab, at: path, holding: true)
        let statements = OurMergeStatements(lab, at: path)
        return [
            Comparison(
                ours, against: try FloorMappedFetch(lab, first: lab.scale.changed), gate: 0.2,
                moonshot: 0.08),
            Comparison(
                statements, against: OneStatement(expected(lab)), label: "statements", gate: 0),
        ]
    }

    // There is only one floor, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint {
        Fingerprint(of: Array(lab.data.persons.prefix(lab.scale.changed)))
    }

    var remark: String? {
        "The line of statements counts them: ours is their number, and it is held against 1."
    }
}

struct W17: Workload {
    let id = "W17"

    func what(_ scale: Scale) -> String {
        "merge a save of \(Scale.short(scale.changed)) updates into a context that holds none"
    }

    func unit(_ scale: Scale) -> Unit { .milliseconds }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let path = try await lab.ours.mergeStore()
        return [
            Comparison(
                OurMerge(lab, at: path, holding: false),
                against: OurMerge(lab, at: path, holding: true), label: "W16", gate: 0.05,
                moonshot: 0.01)
        ]
    }

    // RecordStack is compared with itself.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { W16().expected(lab) }
}
