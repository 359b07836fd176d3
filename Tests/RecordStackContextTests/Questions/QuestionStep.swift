import TestSupport

/// What happens between two questions, so that it can be run again, and in part.
struct QuestionStep: CustomStringConvertible, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        // In one of the contexts.
        case create, edit, editWing, editTheme, relate, place, mark, delete, createWing, deleteWing
        case upsert, importRows, copy, findOrCreate
        case push, save, rollBack, reset, refresh, giveUp, refreshAll, hold, letGo, renew
        // A save that is held up before it commits, one that fails, and one that nobody knows the end of.
        case heldSave, failedSave, doubtfulSave
        // Somebody else's commits.
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
    /// The first make something to work with.
    static let edits: [Self] = [
        .create, .create, .createWing, .relate, .edit, .edit, .edit, .edit, .editWing, .editTheme,
        .relate, .place, .mark, .delete, .deleteWing, .upsert, .importRows, .copy, .findOrCreate,
        .create, .create,
    ]
}

/// What all sequences together have met.
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
