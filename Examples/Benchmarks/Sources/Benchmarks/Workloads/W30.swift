struct W30: Workload {
    let id = "W30"

    func what(_ scale: Scale) -> String {
        "save one changed row in a block while others hold objects of its entity"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: 1) }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let scale = lab.scale
        return try await [
            compare(
                lab, "\(Scale.short(scale.contexts)) contexts", rows: scale.persons,
                few: (contexts: 1, held: 0), many: (contexts: scale.contexts, held: 0), gate: 1.5),
            compare(
                lab, "\(Scale.short(scale.held)) held", rows: scale.held,
                few: (contexts: 0, held: 10), many: (contexts: 0, held: scale.held), gate: 1.2),
        ]
    }

    private func compare(
        _ lab: Lab, _ name: String, rows: Int, few: (contexts: Int, held: Int),
        many: (contexts: Int, held: Int), gate: Double
    ) async throws -> Comparison {
        let source = try lab.itemFile(rows)
        let code = ItemPlace.code(rows - 1)
        let times = lab.scale.questions
        func saves(_ kind: String, _ crowd: (contexts: Int, held: Int)) async throws -> CrowdedSaves
        {
            let name = "\(kind)-\(name)"
            let stack = try ItemPlace(lab, name, copying: source).stack
            return CrowdedSaves(
                name,
                in: try await CrowdedStack(
                    stack, changing: code, contexts: crowd.contexts, held: crowd.held),
                times: times)
        }
        return Comparison(
            try await saves("many", many), against: try await saves("few", few), label: name,
            gate: gate, moonshot: 1.1)
    }

    // RecordStack is compared with itself, beside many contexts or objects and beside few.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { Fingerprint() }
}
