import RecordStackChanges
import Testing

@Suite("Edits of a property over newer rows")
struct SlotMergeTests {
    /// A changed slot whose base is 1, and the value in a row.
    struct Scene: CustomTestStringConvertible {
        let testDescription: String
        let origin: RowOrigin
        let merge: SlotMerge
        let outcome: SlotMerge.Outcome

        /// - Parameters:
        ///   - ours: the changed value; the base is 1.
        ///   - theirs: the row's value.
        init(
            _ description: String, _ origin: RowOrigin, ours: Int, theirs: Int,
            _ outcome: SlotMerge.Outcome, captured: Int? = nil, isCleared: Bool = false,
            hasConflict: Bool = false, isTorn: Bool = false, mustStay: Bool = false,
            isBaseLost: Bool = false
        ) {
            (testDescription, self.origin, self.outcome) = (description, origin, outcome)
            var merge = SlotMerge(isSame: ours == theirs, isBase: theirs == 1)
            merge.isAcknowledged = ours == captured ?? 1
            (merge.isCleared, merge.hasConflict) = (isCleared, hasConflict)
            (merge.isTorn, merge.mustStay) = (isTorn, mustStay)
            merge.isBaseLost = isBaseLost
            self.merge = merge
        }
    }

    @Test(
        "an edit conflicts if another context's commit changes its property",
        arguments: [
            Scene("leaves the slot as it was", .others, ours: 2, theirs: 1, .fits),
            Scene("changes it to another value", .others, ours: 2, theirs: 3, .conflicts),
            Scene("makes the same step", .others, ours: 2, theirs: 2, .conflicts),
            Scene("meets a value that was set back", .others, ours: 1, theirs: 3, .ends),
            Scene(
                "sets the slot back after a conflict", .others, ours: 2, theirs: 1, .fits,
                hasConflict: true),
            Scene(
                "deletes what both had referred to", .others, ours: 0, theirs: 0, .ends,
                isCleared: true),
            Scene(
                "does not end the conflict of a row loaded ahead", .others, ours: 2, theirs: 1,
                .conflicts,
                isTorn: true),
            Scene(
                "meets a value set back under a save", .others, ours: 1, theirs: 3, .conflicts,
                mustStay: true),
        ])
    func others(scene: Scene) {
        #expect(scene.merge.outcome(over: scene.origin) == scene.outcome)
    }

    @Test(
        "a save ends the edits that it saved and keeps edits made during it",
        arguments: [
            Scene("has saved the value", .ownSave, ours: 2, theirs: 2, .ends, captured: 2),
            Scene(
                "has saved another value by policy", .ownSave, ours: 2, theirs: 3, .ends,
                captured: 2),
            Scene("is followed by an edit", .ownSave, ours: 4, theirs: 2, .rebases, captured: 2),
            Scene(
                "is followed by an edit to what it saved", .ownSave, ours: 3, theirs: 3, .ends,
                captured: 2),
            Scene(
                "is hidden by an ancestor's change", .ownSave, ours: 2, theirs: 2, .rebases,
                captured: 2, mustStay: true),
        ])
    func ownSave(scene: Scene) {
        #expect(scene.merge.outcome(over: scene.origin) == scene.outcome)
    }

    @Test(
        "a refresh keeps an edit, or ends it if the stored value is equal",
        arguments: [
            Scene("shows the change on the stored value", .refresh, ours: 2, theirs: 3, .rebases),
            Scene(
                "decides a conflict", .refresh, ours: 2, theirs: 3, .rebases, hasConflict: true),
            Scene("ends a change to the stored value", .refresh, ours: 2, theirs: 2, .ends),
        ])
    func refresh(scene: Scene) {
        #expect(scene.merge.outcome(over: scene.origin) == scene.outcome)
    }

    @Test(
        "a child's edit conflicts if the value in its parent's row has changed",
        arguments: [
            Scene("shows the base", .parentRow, ours: 2, theirs: 1, .stays),
            Scene("shows another value", .parentRow, ours: 2, theirs: 3, .conflicts),
            Scene("shows the same value", .parentRow, ours: 2, theirs: 2, .conflicts),
            Scene("shows the value set back", .parentRow, ours: 1, theirs: 1, .ends),
            Scene(
                "does not end a noted conflict", .parentRow, ours: 2, theirs: 1, .conflicts,
                hasConflict: true),
            Scene(
                "shows a value equal to the one given up", .parentRow, ours: 2, theirs: 1,
                .conflicts, isBaseLost: true),
        ])
    func parentRow(scene: Scene) {
        #expect(scene.merge.outcome(over: scene.origin) == scene.outcome)
    }

    @Test(
        "a child's edit stays over its parent's unsaved edit of the property",
        arguments: [
            Scene("waits for the save", .parentEdit, ours: 2, theirs: 3, .stays),
            Scene("with the same value waits, too", .parentEdit, ours: 2, theirs: 2, .stays),
            Scene("shows where the child's was set back", .parentEdit, ours: 1, theirs: 3, .ends),
            Scene(
                "clears what the child has cleared", .parentEdit, ours: 0, theirs: 0, .ends,
                isCleared: true),
            Scene(
                "replaces the one given up", .parentEdit, ours: 2, theirs: 1, .conflicts,
                isBaseLost: true),
        ])
    func parentEdit(scene: Scene) {
        #expect(scene.merge.outcome(over: scene.origin) == scene.outcome)
    }

    @Test("no merge, save or refresh ends an edit whose flag mustStay is true")
    func mustStay() {
        for origin in [RowOrigin.others, .ownSave, .refresh, .parentRow, .parentEdit] {
            for bits in 0..<128 {
                var merge = SlotMerge(isSame: bits & 1 != 0, isBase: bits & 2 != 0)
                (merge.isAcknowledged, merge.isCleared) = (bits & 4 != 0, bits & 8 != 0)
                (merge.hasConflict, merge.isTorn) = (bits & 16 != 0, bits & 32 != 0)
                (merge.isBaseLost, merge.mustStay) = (bits & 64 != 0, true)
                #expect(merge.outcome(over: origin) != .ends)
            }
        }
    }
}
