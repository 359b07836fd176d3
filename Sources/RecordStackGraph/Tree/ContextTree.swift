import RecordStackChanges
import RecordStackModel

/// The state that a topmost context shares with all contexts below it in its isolation.
///
/// The contexts of a tree save one after another, because each save also writes the changes of the
/// ancestors. They read with one reader at a time. An isolation may have several trees. A tree
/// retains none of its contexts.
final class ContextTree {
    /// The published changes of the topmost context; nil if no other isolation reads them.
    var published: PublishedChanges?
    /// The topmost context's copy of a context in another isolation; nil if it is no copy.
    let parentSnapshot: ParentSnapshot?
    /// The save that is being captured. No other save of the tree runs meanwhile.
    private(set) var turn: SaveTicket?
    /// The last save whose changes were captured. It may still be running.
    private var ticket: SaveTicket?
    /// The reader of the operation under way, for everything else that the operation reads.
    var reader: (any StoreReader)?
    /// True if the operation's context has merged all commits that the reader sees.
    var isPinned = false
    /// The rows that another thread has read for repairs; nil while no repairs run.
    var repairAnswers: RepairAnswers?

    init(standingFor shared: PublishedChanges? = nil) {
        parentSnapshot = shared.map(ParentSnapshot.init)
    }

    /// The published changes that this tree shares with trees in other isolations.
    private var shared: PublishedChanges? { parentSnapshot?.shared ?? published }

    /// Whether this tree shares published changes with trees in other isolations.
    var isShared: Bool { shared != nil }
}

// MARK: Saves

extension ContextTree {
    /// Makes a save the only one of the trees that share published changes.
    ///
    /// Always true for a tree that shares none: in one isolation, the save does not await between
    /// this call and its capture, so that no other save can come in between.
    ///
    /// - Returns: false if the save must wait for another one.
    func claimSharedTurn(_ ticket: SaveTicket) -> Bool { shared?.claim(ticket) ?? true }

    /// Runs a body that captures a save's changes.
    func capturing<Result>(_ ticket: SaveTicket, _ body: () throws -> Result) rethrows -> Result {
        turn = ticket
        defer { turn = nil }
        return try body()
    }

    /// Records that a save's changes are captured and that the writer will write them.
    func begin(_ ticket: SaveTicket) { self.ticket = ticket }

    /// Whether a save is being written that contains changes of this tree, from any isolation.
    var isWriting: Bool {
        ticket?.isUnderWay ?? false || shared?.isWriting(otherThan: turn) ?? false
    }

    /// The save that is being written; nil if there is none. It may end at any time.
    var saveUnderWay: SaveTicket? {
        if let elsewhere = shared?.saveUnderWay, elsewhere !== turn { return elsewhere }
        return ticket.flatMap { $0.isUnderWay ? $0 : nil }
    }

    /// Whether a save that is being written contains a change, or may contain it.
    func mayWrite(_ target: WriteTarget) -> Bool {
        if let elsewhere = shared?.saveUnderWay, elsewhere !== turn, elsewhere.mayWrite(target) {
            return true
        }
        return ticket?.mayWrite(target) == true
    }
}
