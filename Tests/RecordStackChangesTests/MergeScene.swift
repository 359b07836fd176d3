import RecordStackChanges
import RecordStackModel

/// Rows of four integers, and a policy that always gives the same answer.
struct MergeScene {
    static let row = RowKey(entity: 0, key: 7)
    static let base = values(1, 2, 3, 4)

    static func values(_ numbers: Int64...) -> [StoredValue] { numbers.map(StoredValue.integer) }

    /// An edit of the first two slots.
    static let update = RowEdit(
        kind: .updated, version: .first, slots: SlotSet(low: 0b11), values: values(10, 20, 3, 4),
        base: base)

    /// A row with changes in the second and third slot, so that the second slot conflicts with
    /// `update`.
    static let theirs = TheirRow(
        version: .first.next, values: values(1, 200, 300, 4), changed: SlotSet(low: 0b110))

    /// A row with changes in the last two slots, which `update` leaves alone.
    static let theirsElsewhere = TheirRow(
        version: .first.next, values: values(1, 2, 300, 400), changed: SlotSet(low: 0b1100))

    /// - Parameter isLoaded: whether the deleted object had its values loaded.
    static func deletion(seeing seen: [StoredValue] = base, isLoaded: Bool = true) -> RowEdit {
        RowEdit(
            kind: .deleted, version: .first, slots: isLoaded ? SlotSet(all: 4) : SlotSet(),
            values: base, base: seen)
    }

    /// Returns the row after the merge, in the store or in the parent, with one word per slot.
    static func outcome(
        of ours: RowEdit, against theirs: TheirRow?, at boundary: ThreeWayMerge.Boundary,
        _ answer: Decision?, isWholeRow: Bool = false
    ) throws -> String {
        var advisor = FixedAnswer(answer: answer, isWholeRow: isWholeRow)
        let resolution = try ThreeWayMerge(boundary: boundary).resolve(
            ours, of: row, against: theirs, asking: &advisor)
        let asked = advisor.asked.map { "\($0) asked: " } ?? ""
        switch resolution.fate {
        case .conflict: return asked + "conflict"
        case .drop: return asked + (theirs == nil ? "gone" : "theirs")
        case .undelete, .keep: break
        }
        guard let left = ours.applying(resolution, over: theirs) else { return "nothing left" }
        if left.isDeletion { return asked + "deleted" }
        let result = theirs.map(left.rebased) ?? left
        let row = result.values.map { $0.integerValue.map { "\($0)" } ?? "–" }
        return asked + row.joined(separator: " ")
    }
}

/// Gives every conflict the same answer.
struct FixedAnswer: MergeAdvisor {
    let answer: Decision?
    let isWholeRow: Bool
    /// The slots that were cleared because the object that they referred to is deleted.
    var clearedSlots = SlotSet()
    private(set) var asked: String?

    init(answer: Decision?, isWholeRow: Bool = false, clearedSlots: SlotSet = SlotSet()) {
        (self.answer, self.isWholeRow, self.clearedSlots) = (answer, isWholeRow, clearedSlots)
    }

    var wholeRowDecision: Decision? { isWholeRow ? answer : nil }

    mutating func decide(
        _ kind: MergeConflict.Kind, of row: RowKey, clashes: SlotSet, ours: RowEdit,
        theirs: TheirRow?
    ) throws -> Decision? {
        asked = "\(kind) \(clashes.slots)"
        return answer
    }

    func wasClearedByDeletion(_ base: StoredValue, at slot: Int, of entity: Int) -> Bool {
        clearedSlots.contains(slot)
    }
}

extension StoredValue {
    var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }
}
