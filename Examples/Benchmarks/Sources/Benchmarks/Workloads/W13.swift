struct W13: Workload {
    let id = "W13"

    func what(_ scale: Scale) -> String {
        "count, and exists, with a filter that 1 % of \(scale.name) fit, \(TextRange.rounds) times"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: TextRange.rounds) }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let stack = try await lab.ours.filledStack()
        return [
            Comparison(
                OurCounts(stack, lab, .both), against: try RawCounts(lab, .both), gate: 1.2,
                moonshot: 1.05),
            Comparison(
                OurCounts(stack, lab, .count), against: try RawCounts(lab, .count),
                label: "count: raw"),
            Comparison(
                OurCounts(stack, lab, .exists), against: try RawCounts(lab, .exists),
                label: "exists: raw"),
        ]
    }

    // There is only one floor, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint {
        Fingerprint(
            ofAnswers: TextRange.all(lab).map { _ in (lab.scale.persons / 100, true) })
    }
}

/// The questions of one turn.
enum CountQuestion {
    case count, exists, both

    var counts: Bool { self != .exists }
    var asksWhether: Bool { self != .count }
}

/// Persons whose unique text lies between two texts, which the index finds.
struct TextRange: Sendable {
    static let rounds = 1_000

    let lower: String
    let upper: String

    /// Returns ranges of a hundredth of the persons each, with various starts.
    static func all(_ lab: Lab) -> [TextRange] {
        let texts = lab.data.persons.map(\.email).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        let wanted = texts.count / 100
        return (0..<rounds).map { round in
            let first = round * (texts.count - wanted) / rounds
            return TextRange(lower: texts[first], upper: texts[first + wanted])
        }
    }
}
