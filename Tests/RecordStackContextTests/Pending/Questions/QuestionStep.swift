import TestSupport

/// A step between two requests. It carries its own seed, so that a sequence can be replayed and
/// shortened.
struct QuestionStep: CustomStringConvertible, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        // Steps in one of the levels.
        case create, edit, editWing, editTheme, relate, place, mark, delete, createWing, deleteWing
        case upsert, importRows, copy, findOrCreate
        case push, save, rollBack, reset, refresh, giveUp, refreshAll, hold, letGo, renew
        // A save held before its COMMIT, a failing save, and a save with an unknown outcome.
        case heldSave, failedSave, doubtfulSave
        // Commits of other contexts and stacks.
        case foreignSave, foreignBlock, foreignUpdate, foreignStack
    }

    let kind: Kind
    let seed: UInt64

    static func random(_ random: inout Seeded, place: Int) -> QuestionStep {
        let kind = place < 8 ? Kind.edits[random.below(4)] : Self.kind(&random)
        return QuestionStep(kind: kind, seed: random.next())
    }

    private static func kind(_ random: inout Seeded) -> Kind {
        switch random.below(100) {
        case 0..<58: Kind.edits[random.below(Kind.edits.count)]
        case 58..<63: .push
        case 63..<69: .save
        case 69..<72: .rollBack
        case 72: .reset
        case 73..<75: .refresh
        case 75..<77: .giveUp
        case 77: .refreshAll
        case 78..<81: .hold
        case 81: .letGo
        case 82: .renew
        case 83..<88: .heldSave
        case 88: .failedSave
        case 89: .doubtfulSave
        case 90..<95: .foreignSave
        case 95..<97: .foreignBlock
        case 97..<99: .foreignUpdate
        default: .foreignStack
        }
    }

    var description: String { "\(kind)(\(seed % 10_000))" }
}

extension QuestionStep.Kind {
    /// The first four create objects.
    static let edits: [Self] = [
        .create, .create, .createWing, .relate, .edit, .edit, .edit, .edit, .editWing, .editTheme,
        .relate, .place, .mark, .delete, .deleteWing, .upsert, .importRows, .copy, .findOrCreate,
        .create, .create,
    ]
}

/// Counts of the steps, states and verbs that the sequences covered.
struct QuestionCoverage: Sendable {
    private(set) var counts: [String: Int] = [:]

    mutating func note(_ what: String) { counts[what, default: 0] += 1 }
    mutating func add(_ other: QuestionCoverage) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }
}

struct QuestionFailure: Error, CustomStringConvertible {
    let description: String
}
