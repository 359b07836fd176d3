import RecordStackModel
import Synchronization

/// What was committed, on its way to every context.
final class CommittedChanges: Sendable {
    /// Where a commit stands among the saves that a reader sees.
    enum Mark: Sendable {
        /// A save of this stack, by the number of its token.
        case own(number: UInt64)
        /// A commit of this stack without a token that readers look at.
        case unnumbered
        /// Saves of other stacks, up to a position.
        case remote(StorePosition)
    }

    /// Later commits have larger numbers.
    let sequence: Int
    let changes: ChangeSet
    /// The cursors of the contexts whose own changes these are.
    let origins: [Int]
    /// What each of those contexts changed, where more than one did: a context below may have replaced its value of a
    /// property.
    let levels: [Int: LayerSnapshot]
    /// The cursor of the only context that changed anything; nil where several did.
    let author: Int?
    /// The serial number of each of those contexts' last saved join row edit.
    let linkSerials: [Int: Int]
    /// The cursor of a context in another isolation than the others', which knows nothing of what they changed.
    let remoteOrigin: Int?
    /// What was written of that one's changes.
    let carried: LayerSnapshot?
    let ticket: SaveTicket
    /// Where the commit stands in the store.
    let mark: Mark
    /// The old positions of the members of orders that were moved or removed.
    let oldPositions: OldPositions
    /// What the author changed, where that was asked for.
    private let authored = Mutex<WrittenSlots?>(nil)

    init(
        sequence: Int, capture: SaveCapture, mark: Mark, oldPositions: OldPositions = OldPositions()
    ) {
        self.sequence = sequence
        changes = capture.changes
        origins = capture.origins
        levels = capture.levels
        author = capture.author
        linkSerials = capture.linkSerials
        remoteOrigin = capture.remoteOrigin
        carried = capture.carried
        ticket = capture.ticket
        self.mark = mark
        self.oldPositions = oldPositions
    }

    /// True if another stack or another process has saved it.
    var isRemote: Bool { if case .remote = mark { true } else { false } }

    /// True unless the commit is certainly later than a position.
    /// - Parameter last: the number of this stack's last save in the position; nil if the position has none, because the stack
    ///   has not saved yet or because another stack has taken over its row.
    func isContained(in position: StorePosition, own last: UInt64?) -> Bool {
        switch mark {
        case .own(let number): last.map { number <= $0 } ?? true
        case .remote(let mark): !mark.isLater(than: position)
        case .unnumbered: true
        }
    }

    /// True if a context that has taken in all saves up to a position has taken in the commit.
    func isKnown(at position: StorePosition) -> Bool {
        if case .remote(let mark) = mark { mark.isCovered(by: position) } else { false }
    }

    /// The cursors of all contexts whose changes are among them.
    var authors: [Int] { remoteOrigin.map { origins + [$0] } ?? origins }

    /// Whether changes of a context are among them.
    func isOwn(_ number: Int) -> Bool { origins.contains(number) || remoteOrigin == number }

    /// Whether a change of a context's is among what was written.
    func writes(_ target: WriteTarget) -> Bool {
        if target.isChanged(in: levels) { return true }
        if author.map(target.mayBeOf) != true { return false }
        return authored.withLock { known in
            let slots = known ?? WrittenSlots(of: changes)
            known = slots
            return slots.contains(target)
        }
    }
}
