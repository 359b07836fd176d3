struct W40: Workload {
    let id = "W40"

    func what(_ scale: Scale) -> String {
        "one operation of the main actor, which holds \(Scale.short(scale.changed)) objects, after large saves"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: 1) }

    // The results are reported without a gate.
    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let source = try lab.itemFile(lab.scale.persons)
        let stack = try ItemPlace(lab, "late", copying: source).stack
        let held = lab.scale.changed
        let operation = try await LateOperation(stack, held: held)
        let small = LateRun("after one row", operation, saves: [1])
        // The first two saves exceed what the stack keeps, so the context must read all held
        // objects but one.
        return [
            Comparison(
                LateRun("after too much", operation, saves: [10_000, 10_000, 1]), against: small,
                label: "too much: one row"),
            Comparison(
                LateRun("after what is kept", operation, saves: [held]), against: small,
                label: "all held: one row"),
        ]
    }

    // RecordStack is compared with itself, after large saves and small ones.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { Fingerprint() }
}
