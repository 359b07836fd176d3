struct W39: Workload {
    let id = "W39"

    func what(_ scale: Scale) -> String {
        "create and push, a new child for each, and copy(with:), \(Scale.short(scale.rounds)) times"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: 1) }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let scale = lab.scale
        return try ChildLoop.Kind.allCases.map { kind in
            let many = ChildLoop(lab: lab, kind: kind, rounds: scale.rounds)
            let few = ChildLoop(lab: lab, kind: kind, rounds: scale.fewRounds)
            return Comparison(
                try many.run(), against: try few.run(times: 10),
                label: "\(kind.rawValue): of \(Scale.short(scale.fewRounds))", gate: 1.5,
                moonshot: 1.1)
        }
    }

    // RecordStack is compared with itself, in long and short loops.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { Fingerprint() }
}
