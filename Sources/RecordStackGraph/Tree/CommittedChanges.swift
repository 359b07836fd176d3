import RecordStackModel
import Synchronization

/// A commit on its way to every context.
final class CommittedChanges: Sendable {
    /// Identifies a commit among the saves that a reader sees.
    enum Mark: Sendable {
        /// A save of this stack, with the number of its token.
        case own(number: UInt64)
        /// A commit of this stack that leaves no token for readers.
        case unnumbered
        /// Saves of other stacks, up to a position.
        case remote(StorePosition)
    }

    /// The number of the commit. Later commits have larger numbers.
    let sequence: Int
    let changes: ChangeSet
    /// The cursors of the contexts in the saving isolation whose changes the commit contains.
    let origins: [Int]
    /// The layers of those contexts by cursor; empty if the written changes are a single layer.
    ///
    /// A context further down may have replaced values of a context above it.
    let levels: [Int: LayerSnapshot]
    /// The changes that the commit contains, so far as changes of other contexts are based on them.
    let savedEdits: Set<EditOrigin>
    /// The cursor of the only context that had changes; nil if several contexts had changes.
    let author: Int?
    /// The serial number of the last saved join row edit, by cursor.
    let linkSerials: [Int: Int]
    /// The cursor of the context in another isolation whose published changes the save has written.
    ///
    /// That context has not seen the changes of the other contexts of the save.
    let remoteOrigin: Int?
    /// The changes of ``remoteOrigin`` as the save has written them.
    let carried: LayerSnapshot?
    let ticket: SaveTicket
    /// Identifies the commit among the saves that a reader sees.
    let mark: Mark
    /// The positions that members of ordered relationships had before they were moved or removed.
    let oldPositions: OldPositions
    /// The slots that the author has changed; nil until they are first needed.
    private let authored = Mutex<WrittenSlots?>(nil)

    init(
        sequence: Int, capture: SaveCapture, mark: Mark, oldPositions: OldPositions = OldPositions()
    ) {
        self.sequence = sequence
        changes = capture.changes
        origins = capture.origins
        levels = capture.levels
        savedEdits = capture.savedEdits
        author = capture.author
        linkSerials = capture.linkSerials
        remoteOrigin = capture.remoteOrigin
        carried = capture.carried
        ticket = capture.ticket
        self.mark = mark
        self.oldPositions = oldPositions
    }

    /// True if another stack has saved the commit, in this process or in another one.
    var isRemote: Bool { if case .remote = mark { true } else { false } }

    /// Whether a position may contain the commit; false only if the commit is certainly later.
    ///
    /// - Parameter last: the number of this stack's last save in the position. It is nil if the
    ///   position has none, because this stack has not saved yet or another stack has taken over
    ///   its row.
    func isContained(in position: StorePosition, own last: UInt64?) -> Bool {
        switch mark {
        case .own(let number): last.map { number <= $0 } ?? true
        case .remote(let mark): !mark.isLater(than: position)
        case .unnumbered: true
        }
    }

    /// Whether a context that shows all saves up to a position has already merged the commit.
    func isKnown(at position: StorePosition) -> Bool {
        if case .remote(let mark) = mark { mark.isCovered(by: position) } else { false }
    }

    /// The cursors of all contexts whose changes the commit contains, in any isolation.
    var authors: [Int] { remoteOrigin.map { origins + [$0] } ?? origins }

    /// Whether the commit contains changes of the context whose cursor has a number.
    func isOwn(_ number: Int) -> Bool { origins.contains(number) || remoteOrigin == number }

    /// Whether the commit writes a change.
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
