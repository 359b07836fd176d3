import RecordStackChanges
import RecordStackModel
import TestSupport
import Testing

/// Compares merges and compositions of random edits with a simple model that takes one slot, or one
/// step, at a time.
@Suite("Random merges")
struct RandomMergeTests {
    private static let width = 5

    @Test("merging a random row gives the same as merging each column alone")
    func slotBySlot() throws {
        var random = Seeded.fromEnvironment()
        var counts: [String: Int] = [:]
        for round in 0..<Seeded.rounds(2_000, full: 200_000) {
            let base = Self.row(&random)
            let ours = Self.update(of: base, &random)
            let theirs = Self.update(of: base, &random)
            let boundary = random.chance(50) ? ThreeWayMerge.Boundary.store : .layer
            let answer = Self.answer(&random)
            var advisor = FixedAnswer(answer: answer)
            let row = TheirRow(
                version: .first.next, values: theirs.values, changed: theirs.slots)
            let resolution = try ThreeWayMerge(boundary: boundary).resolve(
                ours, of: MergeScene.row, against: row, asking: &advisor)
            let merged = ours.applying(resolution, over: row)?.rebased(on: row).values
            let expected = Self.reading(base, ours, theirs.values, answer, boundary)
            #expect(
                merged == expected,
                "round \(round), \(boundary), \(String(describing: answer)), RECORDSTACK_SEED=\(random.seed)"
            )
            counts[expected == nil ? "conflict" : "merged", default: 0] += 1
            // A slot is kept, taken or given, and never two of these.
            #expect(resolution.kept.intersection(resolution.takenSlots).isEmpty)
        }
        #expect(counts["conflict", default: 0] > 50)
        #expect(counts["merged", default: 0] > 500)
    }

    /// Returns the merged row, computed slot by slot, or nil for a conflict.
    private static func reading(
        _ base: [StoredValue], _ ours: RowEdit, _ theirs: [StoredValue], _ answer: Decision?,
        _ boundary: ThreeWayMerge.Boundary
    ) -> [StoredValue]? {
        let changed = (0..<width).filter(ours.slots.contains)
        let clashes = changed.filter { theirs[$0] != base[$0] }
        var row = theirs
        if clashes.isEmpty {
            for slot in changed { row[slot] = ours.values[slot] }
            return row
        }
        switch answer {
        case nil: return nil
        case .theirs:
            for slot in changed where !clashes.contains(slot) { row[slot] = ours.values[slot] }
        case .ours: for slot in changed { row[slot] = ours.values[slot] }
        case .allTheirs: break
        case .allOurs:
            for slot in boundary == .store ? Array(0..<width) : changed {
                row[slot] = ours.values[slot]
            }
        case .values(let values):
            for slot in changed { row[slot] = ours.values[slot] }
            for (slot, value) in values { row[slot] = value }
        }
        return row
    }

    @Test("combining three edits of a row gives the same row as applying each")
    func composition() {
        var random = Seeded.fromEnvironment()
        var counts: [RowEdit.Kind: Int] = [:]
        for round in 0..<Seeded.rounds(2_000, full: 200_000) {
            let stored: [StoredValue]? = random.chance(70) ? Self.row(&random) : nil
            var (row, edits) = (stored, [RowEdit]())
            for _ in 0..<3 {
                guard let edit = Self.edit(of: row, isStored: stored != nil, &random) else {
                    continue
                }
                edits.append(edit)
                row = edit.isDeletion ? nil : edit.values
            }
            guard let first = edits.first else { continue }
            let composed = edits.dropFirst().reduce(first) { $1.composed(over: $0) }
            let comment: Comment = "round \(round), RECORDSTACK_SEED=\(random.seed)"
            counts[composed.kind, default: 0] += 1
            #expect(Self.applying(composed, to: stored) == row, comment)
            #expect(composed.version == (stored == nil ? .noRow : .first), comment)
            if edits.count == 3 {
                let inner = edits[2].composed(over: edits[1]).composed(over: edits[0])
                #expect(inner.kind == composed.kind, comment)
                #expect(inner.isDeletion || inner.values == composed.values, comment)
                #expect(inner.isDeletion || inner.slots == composed.slots, comment)
            }
            if composed.kind == .updated, let stored {
                composed.slots.forEach { #expect(composed.base[$0] == stored[$0], comment) }
            }
        }
        for kind in [RowEdit.Kind.inserted, .updated, .deleted, .cancelled] {
            #expect(counts[kind, default: 0] > 50)
        }
    }

    /// Returns an edit of the row that a context shows, or nil if the row cannot be edited.
    private static func edit(
        of row: [StoredValue]?, isStored: Bool, _ random: inout Seeded
    ) -> RowEdit? {
        let version = isStored ? RowVersion.first : .noRow
        guard let row else {
            if isStored { return nil }
            return RowEdit(
                kind: .inserted, version: version, slots: SlotSet(all: width),
                values: Self.row(&random), base: Array(repeating: .null, count: width))
        }
        if random.chance(25) {
            return RowEdit(
                kind: .deleted, version: version, slots: SlotSet(all: width), values: row,
                base: row)
        }
        var edit = update(of: row, &random)
        edit.version = version
        return edit
    }

    private static func applying(_ edit: RowEdit, to stored: [StoredValue]?) -> [StoredValue]? {
        switch edit.kind {
        case .deleted, .cancelled: return nil
        case .inserted: return edit.values
        case .updated:
            guard var row = stored else { return nil }
            edit.slots.forEach { row[$0] = edit.values[$0] }
            return row
        }
    }

    private static func row(_ random: inout Seeded) -> [StoredValue] {
        (0..<width).map { _ in .integer(Int64(random.below(3))) }
    }

    private static func update(of base: [StoredValue], _ random: inout Seeded) -> RowEdit {
        var (values, slots) = (base, SlotSet())
        for slot in 0..<width where random.chance(35) {
            slots.insert(slot)
            values[slot] = .integer(Int64(random.below(3)))
        }
        return RowEdit(
            kind: .updated, version: .first, slots: slots, values: values, base: base)
    }

    private static func answer(_ random: inout Seeded) -> Decision? {
        switch random.below(6) {
        case 0: nil
        case 1: .theirs
        case 2: .ours
        case 3: .allTheirs
        case 4: .allOurs
        default: .values([(random.below(width), .integer(9))])
        }
    }
}
