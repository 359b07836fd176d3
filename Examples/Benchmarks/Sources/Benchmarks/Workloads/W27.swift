import RecordStack

struct W27: Workload {
    let id = "W27"

    func what(_ scale: Scale) -> String {
        "create, relate, count by an indexed attribute, \(Scale.short(scale.rounds)) times in one block"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: 1) }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let (many, few) = (lab.scale.rounds, lab.scale.fewRounds)
        return CountingLoop.Value.allCases.map { value in
            Comparison(
                CountingLoop(lab: lab, value: value, rounds: many).run(times: 1),
                against: CountingLoop(lab: lab, value: value, rounds: few).run(times: 10),
                label: "\(value): per round of \(Scale.short(few))", gate: 1.5, moonshot: 1.1)
        }
    }

    // RecordStack is compared with itself, in long and short loops.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { Fingerprint() }
}

/// Creates an item, relates it, and counts the items with a value.
struct CountingLoop {
    /// The counted value.
    enum Value: CaseIterable {
        case constant, varying, never
    }

    let lab: Lab
    let value: Value
    let rounds: Int

    func run(times: Int) -> some Contender {
        let (value, rounds) = (value, rounds)
        let name = "counting-\(value)-\(rounds)"
        let sum =
            switch value {
            case .constant: rounds * (rounds + 1) / 2
            case .varying: rounds
            case .never: 0
            }
        return LoopRun(name, rounds: rounds, times: times) {
            try ItemPlace(lab, name)
        } loop: { place in
            let counted = try await place.stack.saveWithBlock { context in
                let boxes = try (0..<16).map { try Box.create(in: context, number: $0) }
                var counted = 0
                for number in 0..<rounds {
                    let item = try Item.create(in: context, code: ItemPlace.code(number))
                    item.bucket = value == .constant ? 7 : number
                    item.box = boxes[number % 16]
                    let wanted = value == .never ? -1 : item.bucket
                    counted += try Item.count(in: context) { $0.bucket == wanted }
                }
                return counted
            }
            if counted != sum { throw Failure("\(name) counted \(counted)") }
        } isRight: {
            try $0.contents().count == rounds
        } close: {
            try $0.close()
        }
    }
}
