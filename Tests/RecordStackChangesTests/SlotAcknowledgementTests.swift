import RecordStackChanges
import Testing

@Suite("Edits of a property after their save")
struct SlotAcknowledgementTests {
    /// A slot that was captured as 1, and the events since.
    struct Scene: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let now: Int
        let saved: Int
        let left: SlotAcknowledgement

        init(_ description: String, now: Int, saved: Int, _ left: SlotAcknowledgement) {
            (testDescription, self.now, self.saved, self.left) = (description, now, saved, left)
        }
    }

    @Test(arguments: [
        Scene("unchanged and saved", now: 1, saved: 1, .ends),
        Scene("unchanged, and a child saved another value", now: 1, saved: 2, .ends),
        Scene("changed again and saved", now: 3, saved: 1, .rebasesOnSaved),
        Scene(
            "changed again, and a child saved another value", now: 3, saved: 2, .rebasesOnCaptured),
        Scene("changed to the value that a child saved", now: 2, saved: 2, .rebasesOnCaptured),
    ])
    func `a save ends the saved edit of a property and keeps a later edit`(scene: Scene) {
        let captured = 1
        let left = SlotAcknowledgement(
            isUnchanged: scene.now == captured, isSeen: scene.saved == captured)
        #expect(left == scene.left)
    }
}
