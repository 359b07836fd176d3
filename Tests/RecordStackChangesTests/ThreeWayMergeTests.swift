import RecordStackChanges
import RecordStackModel
import Testing

@Suite("Three-way merge")
struct ThreeWayMergeTests {
    typealias Boundary = ThreeWayMerge.Boundary

    /// An answer of a policy, under its name in the policy table.
    struct Answer: CustomTestStringConvertible {
        let testDescription: String
        let decision: Decision?

        static let all = [
            Answer(testDescription: "error", decision: nil),
            Answer(testDescription: "storeTrump", decision: .theirs),
            Answer(testDescription: "objectTrump", decision: .ours),
            Answer(testDescription: "overwrite", decision: .allOurs),
            Answer(testDescription: "rollback", decision: .allTheirs),
            Answer(testDescription: "values", decision: .values([(3, .integer(77))])),
        ]
    }

    private let question = "changedOnBothSides [1] asked: "

    @Test(
        "each merge policy saves the expected row if a property conflicts",
        arguments: zip(
            Answer.all,
            [
                "conflict", "10 200 300 4", "10 20 300 4", "10 20 3 4", "1 200 300 4",
                "10 20 300 77",
            ]))
    func conflictAtTheStore(answer: Answer, expected: String) throws {
        let outcome = try MergeScene.outcome(
            of: MergeScene.update, against: MergeScene.theirs, at: .store, answer.decision)
        #expect(outcome == question + expected)
    }

    @Test(
        "each merge policy pushes the expected row if a property conflicts",
        arguments: zip(
            Answer.all,
            [
                "conflict", "10 200 300 4", "10 20 300 4", "10 20 300 4", "1 200 300 4",
                "10 20 300 77",
            ]))
    func conflictInALayer(answer: Answer, expected: String) throws {
        let outcome = try MergeScene.outcome(
            of: MergeScene.update, against: MergeScene.theirs, at: .layer, answer.decision)
        #expect(outcome == question + expected)
    }

    @Test(
        "changes of different properties merge without asking the policy",
        arguments: Answer.all, [Boundary.store, .layer])
    func differentSlots(answer: Answer, boundary: Boundary) throws {
        let outcome = try MergeScene.outcome(
            of: MergeScene.update, against: MergeScene.theirsElsewhere, at: boundary,
            answer.decision)
        #expect(outcome == "10 20 300 400")
    }

    @Test(
        "overwrite and rollback drop changes without a conflict only in saves",
        arguments: [
            (Decision.allOurs, Boundary.store, "10 20 3 4"),
            (.allTheirs, .store, "1 2 300 400"),
            (.allOurs, .layer, "10 20 300 400"),
            (.allTheirs, .layer, "10 20 300 400"),
        ])
    func wholeObjects(decision: Decision, boundary: Boundary, expected: String) throws {
        let outcome = try MergeScene.outcome(
            of: MergeScene.update, against: MergeScene.theirsElsewhere, at: boundary, decision,
            isWholeRow: true)
        #expect(outcome == expected)
    }

    @Test(
        "each merge policy treats edits of rows deleted elsewhere as expected",
        arguments: Array(
            zip(Answer.all, ["conflict", "gone", "10 20 3 4", "10 20 3 4", "gone", "10 20 3 77"])),
        [Boundary.store, .layer])
    func deletedElsewhere(answer: (Answer, String), boundary: Boundary) throws {
        let outcome = try MergeScene.outcome(
            of: MergeScene.update, against: nil, at: boundary, answer.0.decision)
        #expect(outcome == "deletedElsewhere [] asked: " + answer.1)
    }

    @Test(
        "each merge policy treats a deletion of a changed row as expected",
        arguments: Array(
            zip(Answer.all, ["conflict", "theirs", "deleted", "deleted", "theirs", "deleted"])),
        [Boundary.store, .layer])
    func deletedHere(answer: (Answer, String), boundary: Boundary) throws {
        let outcome = try MergeScene.outcome(
            of: MergeScene.deletion(), against: MergeScene.theirs, at: boundary,
            answer.0.decision)
        #expect(outcome == "deletedHere [] asked: " + answer.1)
    }

    @Test("pushing a deletion made after the parent's change is no conflict")
    func seenDeletion() throws {
        let seen = MergeScene.values(99, 200, 300, 99)
        let deletion = MergeScene.deletion(seeing: seen)
        let layer = try MergeScene.outcome(
            of: deletion, against: MergeScene.theirs, at: .layer, nil)
        #expect(layer == "deleted")
        let store = try MergeScene.outcome(
            of: deletion, against: MergeScene.theirs, at: .store, nil)
        #expect(store == "deletedHere [] asked: conflict")
    }

    @Test("pushing a deletion of an unloaded object conflicts with parent edits")
    func blindDeletion() throws {
        let outcome = try MergeScene.outcome(
            of: MergeScene.deletion(seeing: MergeScene.theirs.values, isLoaded: false),
            against: MergeScene.theirs, at: .layer, nil)
        #expect(outcome == "deletedHere [] asked: conflict")
    }

    @Test(
        "deleting a row that another context has deleted asks no policy",
        arguments: [Boundary.store, .layer])
    func bothDelete(boundary: Boundary) throws {
        let outcome = try MergeScene.outcome(
            of: MergeScene.deletion(), against: nil, at: boundary, nil)
        #expect(outcome == "gone")
    }

    @Test(
        "two contexts' edits to the same value are a conflict", arguments: [Boundary.store, .layer])
    func equalSteps(boundary: Boundary) throws {
        let same = TheirRow(
            version: .first.next, values: MergeScene.values(10, 2, 3, 4),
            changed: SlotSet(single: 0))
        let outcome = try MergeScene.outcome(
            of: MergeScene.update, against: same, at: boundary, nil)
        #expect(outcome == "changedOnBothSides [0] asked: conflict")
    }

    @Test("an edit of a value loaded from an unmerged commit is a conflict")
    func tornSlot() throws {
        let torn = TheirRow(
            version: .first.next, values: MergeScene.base, changed: SlotSet(all: 4),
            torn: SlotSet(single: 1))
        let outcome = try MergeScene.outcome(
            of: MergeScene.update, against: torn, at: .store, nil)
        #expect(outcome == "changedOnBothSides [1] asked: conflict")
    }

    @Test("two contexts can both clear a reference to an object that is deleted")
    func clearedReference() throws {
        var ours = MergeScene.update
        ours.values[0] = .null
        let theirs = TheirRow(
            version: .first.next, values: [.null] + MergeScene.base.dropFirst(),
            changed: SlotSet(single: 0))
        for (cleared, fate) in [(SlotSet(single: 0), Resolution.Fate.keep), (SlotSet(), .conflict)]
        {
            var advisor = FixedAnswer(answer: nil, clearedSlots: cleared)
            let resolution = try ThreeWayMerge(boundary: .store).resolve(
                ours, of: MergeScene.row, against: theirs, asking: &advisor)
            #expect(resolution.fate == fate)
        }
    }
}
