import RecordStackPlatform

/// By whom a context is used, and for what.
final class ContextUsage {
    /// What looks where the context is used; nil where nobody does.
    let isolation: IsolationWatch?
    /// True for a context of the main actor if the time that its operations take is of interest.
    let timesOperations: Bool
    /// Says whether the task that awaits the save block was cancelled; nil outside of one.
    var cancellation: CancellationFlag?
    // @exclusivity(unchecked): only the context's isolation uses these, one whole value at a time.

    /// The number of reads that have ended.
    @exclusivity(unchecked) var readings = 0
    /// The number of reads before the block that the context is lent to began; `Int.max` outside of blocks.
    @exclusivity(unchecked) var readingsBeforeBlock = Int.max
    /// How fast reads follow each other outside of blocks.
    @exclusivity(unchecked) var pace = ReadingPace()
    /// True while the reader is an operation's, and not that of something that is loaded between two of them.
    @exclusivity(unchecked) var isOperating = false
    @exclusivity(unchecked) var isClosed = false
    /// True if it was told of that the parent has given up what the context rests on.
    var hasWarnedOfParent = false
    /// True if the context is looked at when the process ends.
    var isWatchedAtExit = false

    init(
        of coordinator: PersistentStoreCoordinator, by owner: (any Actor)?,
        lentBy lender: Lending.Lender?
    ) {
        isolation = ManagedObjectContext.makeIsolation(coordinator, owner: owner, lender: lender)
        timesOperations = coordinator.watching.warns && owner === MainActor.shared
    }

    /// A child is used where its parent is.
    init(under parent: ManagedObjectContext) {
        isolation = parent.usage.isolation
        timesOperations = parent.usage.timesOperations
        if parent.isInBlock { readingsBeforeBlock = 0 }
    }
}

/// How fast the reads of a context follow each other.
struct ReadingPace {
    private var tick: UInt64 = 0
    private var readings = 0

    /// Whether as many reads began within one tick of the clock, about 4 ms, as begin in a loop alone.
    var isOfLoop: Bool { readings > Self.readingsOfHandler }

    /// Counts a read that begins.
    /// - Returns: ``isOfLoop``.
    mutating func note() -> Bool {
        let now = MonotonicClock.coarseNanoseconds
        if now != tick { (tick, readings) = (now, min(readings, 0)) }
        readings += 1
        return isOfLoop
    }

    /// Somebody has committed: a transaction that stands would soon be out of date again, and keeps the log from being
    /// begun anew meanwhile.
    mutating func noteCommit() { readings = -3 * Self.readingsOfHandler }

    /// How many reads are no loop.
    private static var readingsOfHandler: Int { 8 }
}
