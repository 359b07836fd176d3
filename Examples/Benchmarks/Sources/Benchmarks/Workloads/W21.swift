struct W21: Workload {
    let id = "W21"

    func what(_ scale: Scale) -> String {
        "heap in use after \(Scale.short(scale.made)) objects, made, saved and dropped in 100 batches"
    }

    func unit(_ scale: Scale) -> Unit { .kibibytes }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let ours = try lab.ours.batches(lab.scale)
        return [Comparison(ours.end, against: ours.early, gate: 1, roundedTo: 0.01)]
    }

    // RecordStack is compared with itself.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint {
        Fingerprint(of: (0..<lab.scale.made).lazy.map { lab.data.row($0) })
    }
}
