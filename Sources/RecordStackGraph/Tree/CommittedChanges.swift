import RecordStackModel
import Synchronization

/// What was committed, on its way to every context.
final class CommittedChanges: Sendable {
    /// Later commits have larger numbers.
    let sequence: Int
    let changes: ChangeSet
    /// The cursors of the contexts whose own changes these are.
    let origins: Set<Int>
    /// What each of those contexts changed, where more than one did: its value of a property may
    /// have given way to that of a context below.
    let levels: [Int: CapturedLevel]
    /// The cursor of the only context that changed anything; nil where several did.
    let author: Int?
    /// The number of each of those contexts' last edit of pairs that was saved.
    let linkSerials: [Int: Int]
    /// The cursor of a context in another isolation than the others', which knows nothing of what they changed.
    let remoteOrigin: Int?
    /// What was written of that one's changes.
    let carried: CapturedLevel?
    let ticket: SaveTicket
    /// Whether another stack or another process has saved it.
    let isRemote: Bool
    /// What the author changed, where that was asked for.
    private let authored = Mutex<WrittenSlots?>(nil)

    init(sequence: Int, capture: SaveCapture) {
        self.sequence = sequence
        changes = capture.changes
        origins = capture.origins
        levels = capture.levels
        author = capture.author
        linkSerials = capture.linkSerials
        remoteOrigin = capture.remoteOrigin
        carried = capture.carried
        ticket = capture.ticket
        isRemote = capture.isRemote
    }

    /// The cursors of all contexts whose changes are among them.
    var authors: Set<Int> { remoteOrigin.map { origins.union([$0]) } ?? origins }

    /// Whether changes of a context are among them.
    func isOwn(_ number: Int) -> Bool { origins.contains(number) || remoteOrigin == number }

    /// Whether a change of a context's is among what was written.
    func writes(_ place: WrittenPlace) -> Bool {
        if place.isChanged(in: levels) { return true }
        if author.map(place.mayBeOf) != true { return false }
        return authored.withLock { known in
            let slots = known ?? WrittenSlots(of: changes)
            known = slots
            return slots.contains(place)
        }
    }
}
