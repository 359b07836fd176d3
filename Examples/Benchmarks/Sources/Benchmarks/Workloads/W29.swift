struct W29: Workload {
    let id = "W29"

    func what(_ scale: Scale) -> String {
        "ask by an attribute without an index with \(Scale.short(scale.changed)) unsaved objects"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: 1) }

    var remark: String? {
        "The first gate is the clean context and 100 ns for each unsaved object, the second one the clean context "
            + "and 20 µs. Their lines show both as one ratio."
    }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let source = try lab.itemFile(ScannedContext.rows)
        let stack = try ItemPlace(lab, "scanned", copying: source).stack
        let (unsaved, times) = (lab.scale.changed, lab.scale.questions)
        let clean = try await ScannedContext(stack, unsaved: 0)
        let asked = try await ScannedContext(stack, unsaved: unsaved)
        return ScannedContext.Turn.allCases.map { turn in
            let each = Double(unsaved)
            return Comparison(
                ScanRun(turn.rawValue, turn, of: asked, times: times),
                against: ScanRun("clean: \(turn.rawValue)", turn, of: clean, times: times),
                label: turn.rawValue, gate: 1, moonshot: 1,
                allowing: turn == .first
                    ? Allowance(gate: 100 * each, moonshot: 50 * each)
                    : Allowance(gate: 20_000, moonshot: 5_000))
        }
    }

    // RecordStack is compared with itself, in a clean context.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { Fingerprint() }
}
