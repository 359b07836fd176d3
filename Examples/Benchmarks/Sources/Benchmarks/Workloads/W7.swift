struct W7: Workload {
    let id = "W7"

    func what(_ scale: Scale) -> String {
        "import \(scale.name) of flat JSON into an empty store, by a unique key"
    }

    func unit(_ scale: Scale) -> Unit { .milliseconds }

    var remark: String? { "Ru has its values parsed beforehand." }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let ours = OurImport(lab)
        return [
            Comparison(ours, against: FloorUpserts(lab), gate: 1.5, moonshot: 1.0),
            Comparison(ours, against: GRDBImport(lab), gate: 0.12, moonshot: 0.08),
            Comparison(
                OurImportAgain(lab), against: ours, label: "each row changed: first run", gate: 2.5),
        ]
    }

    func peers(_ lab: Lab) throws -> [any Contender] { [FloorUpserts(lab), GRDBImport(lab)] }
}
