import RecordStackChanges
import RecordStackModel

/// What a topmost context shares with all contexts below it in its isolation: they save one after another, because each save
/// writes its ancestors' changes as well, and they read with one reader at a time.
///
/// An isolation may have several. A tree holds none of its contexts.
final class ContextTree {
    /// What the topmost context has changed, for contexts of other isolations; nil where none rests on it.
    var published: PublishedChanges?
    /// The copy that the topmost context is of one in another isolation; nil for one that has changes of its own.
    let parentSnapshot: ParentSnapshot?
    /// The save that is being captured: no other of the tree's is under way.
    private(set) var turn: SaveTicket?
    /// The last save whose changes were captured, which may be under way.
    private var ticket: SaveTicket?
    /// The reader of the operation under way, for what the operation has to read besides.
    var reader: (any StoreReader)?
    /// Whether the context of the operation has taken in all commits that the reader sees.
    var isPinned = false
    /// The rows that another thread has read for repairs; nil while no repairs run.
    var repairAnswers: RepairAnswers?

    init(standingFor shared: PublishedChanges? = nil) {
        parentSnapshot = shared.map(ParentSnapshot.init)
    }

    /// What is shared between this tree and trees in other isolations.
    private var shared: PublishedChanges? { parentSnapshot?.shared ?? published }

    /// Whether contexts in other isolations may rest on this tree, or this one on theirs.
    var isShared: Bool { shared != nil }
}

// MARK: Saves

extension ContextTree {
    /// Makes a save the only one of the tree and of the trees that it shares changes with.
    /// - Returns: false where it has to wait for another one.
    func claimTurn(_ ticket: SaveTicket) -> Bool { shared?.claim(ticket) ?? true }

    /// Captures a save's changes.
    func capturing<Result>(_ ticket: SaveTicket, _ body: () throws -> Result) rethrows -> Result {
        turn = ticket
        defer { turn = nil }
        return try body()
    }

    /// A save's changes were captured, and are on their way.
    func begin(_ ticket: SaveTicket) { self.ticket = ticket }

    /// Whether a save of one of its contexts, or of one in another isolation that writes changes of theirs, is being written.
    var isWriting: Bool {
        ticket?.isUnderWay ?? false || shared?.isWriting(otherThan: turn) ?? false
    }

    /// The save that is being written. It may end at any time.
    var saveUnderWay: SaveTicket? {
        if let elsewhere = shared?.saveUnderWay, elsewhere !== turn { return elsewhere }
        return ticket.flatMap { $0.isUnderWay ? $0 : nil }
    }

    /// Whether a save that is being written writes a change, or may come to.
    func mayWrite(_ target: WriteTarget) -> Bool {
        if let elsewhere = shared?.saveUnderWay, elsewhere !== turn, elsewhere.mayWrite(target) {
            return true
        }
        return ticket?.mayWrite(target) == true
    }
}
