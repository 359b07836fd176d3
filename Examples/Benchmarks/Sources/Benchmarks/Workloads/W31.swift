struct W31: Workload {
    let id = "W31"

    func what(_ scale: Scale) -> String {
        let (rows, unsaved) = (Scale.short(scale.rounds), Scale.short(scale.changed))
        return "import \(rows) rows beside \(unsaved) unsaved objects, in one call and in one each"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: 1) }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let scale = lab.scale
        return try [false, true].flatMap { isOneByOne in
            func loop(_ rows: Int, unsaved: Int) -> ImportLoop {
                ImportLoop(lab: lab, rows: rows, isOneByOne: isOneByOne, unsaved: unsaved)
            }
            let kind = isOneByOne ? "each" : "one call"
            let ours = try loop(scale.rounds, unsaved: scale.changed).run()
            return [
                Comparison(
                    ours, against: try loop(scale.rounds, unsaved: 0).run(),
                    label: "\(kind): clean", gate: 1.3, moonshot: 1.1),
                Comparison(
                    ours, against: try loop(scale.fewRounds, unsaved: scale.changed).run(times: 8),
                    label: "\(kind): row of \(Scale.short(scale.fewRounds))", gate: 1.3,
                    moonshot: 1.1),
            ]
        }
    }

    // RecordStack is compared with itself, beside unsaved objects and without them.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { Fingerprint() }
}
