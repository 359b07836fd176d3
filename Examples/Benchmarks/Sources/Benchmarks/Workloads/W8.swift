struct W8: Workload {
    let id = "W8"

    func what(_ scale: Scale) -> String {
        "import \(scale.name) with company, notes and tags inside, again and again"
    }

    func unit(_ scale: Scale) -> Unit { .milliseconds }

    var remark: String? {
        "The lines of rows count those that were written: ours is their number, and it is held against 1."
    }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let first = OurNestedImport(lab)
        let changed = [lab.nestedJSON, NestedJSON.text(of: lab.graph, changed: lab.scale.touched)]
        let same = [lab.nestedJSON]
        let one = OneStatement(expected(lab))
        return [
            Comparison(
                OurNestedImportAgain("unchanged", same, .time, lab), against: first,
                label: "unchanged: first run", gate: 0.5, moonshot: 0.3),
            Comparison(
                OurNestedImportAgain("1 % changed", changed, .time, lab), against: first,
                label: "1 % changed: first run"),
            Comparison(
                OurNestedImportAgain("unchanged", same, .rowsWritten, lab), against: one,
                label: "unchanged: rows", gate: 0),
            Comparison(
                OurNestedImportAgain("1 % changed", changed, .rowsWritten, lab), against: one,
                label: "1 % changed: rows", gate: Double(lab.scale.touched)),
        ]
    }

    // RecordStack is compared with itself.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { lab.graph.memberFingerprint }
}
