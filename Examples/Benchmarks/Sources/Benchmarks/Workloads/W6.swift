struct W6: Workload {
    let id = "W6"

    func what(_ scale: Scale) -> String {
        "\(Scale.short(scale.saves)) saves of one new object, saveAndWait"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: scale.saves) }

    var remark: String? {
        "raw is opened with wal_autocheckpoint=1000, because ours writes its log back at 1,000 pages."
    }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        [
            Comparison(
                lab.ours.saves(of: lab.savedRows), against: RawSaves(lab), gate: 1.5,
                moonshot: 1.2),
            Comparison(
                lab.ours.awaitedSaves(of: lab.savedRows), against: RawSavesOnActor(lab),
                label: "awaited: raw + hops"),
        ]
    }

    func peers(_ lab: Lab) throws -> [any Contender] {
        [RawSaves(lab), RawSavesOnActor(lab)]
    }

    func expected(_ lab: Lab) -> Fingerprint { Fingerprint(of: lab.savedRows) }
}
