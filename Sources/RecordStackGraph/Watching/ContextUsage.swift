import RecordStackPlatform

/// The owner of a context, and the state of its current use.
final class ContextUsage {
    /// The check of the context's isolation; nil if it is off.
    let isolation: IsolationWatch?
    /// True if operations are timed: for a context of the main actor if warnings are on.
    let timesOperations: Bool
    /// The cancellation flag of the task that awaits the save block; nil outside of a save block.
    var cancellation: CancellationFlag?
    // @exclusivity(unchecked): only the context's isolation uses these, one whole value at a time.

    /// The number of reads that have ended.
    @exclusivity(unchecked) var readings = 0
    /// The number of reads before the current block began; `Int.max` outside of blocks.
    @exclusivity(unchecked) var readingsBeforeBlock = Int.max
    /// The rate of reads outside of blocks.
    @exclusivity(unchecked) var pace = ReadingPace()
    /// True while the reader belongs to an operation, not to a load between two operations.
    @exclusivity(unchecked) var isOperating = false
    @exclusivity(unchecked) var isClosed = false
    /// True after a warning that the parent has discarded changes on which the context is based.
    var hasWarnedOfParent = false
    /// True if unsaved changes of the context are reported when the process ends.
    var isWatchedAtExit = false

    init(
        of coordinator: PersistentStoreCoordinator, by owner: (any Actor)?,
        lentBy lender: Lending.Lender?
    ) {
        isolation = ManagedObjectContext.makeIsolation(coordinator, owner: owner, lender: lender)
        timesOperations = coordinator.watching.warns && owner === MainActor.shared
    }

    /// Creates the usage of a child, which is used in its parent's isolation.
    init(under parent: ManagedObjectContext) {
        isolation = parent.usage.isolation
        timesOperations = parent.usage.timesOperations
        if parent.isInBlock { readingsBeforeBlock = 0 }
    }
}

/// The rate at which a context's reads follow each other.
struct ReadingPace {
    private var tick: UInt64 = 0
    private var readings = 0

    /// Whether so many reads began within one clock tick, about 4 ms, that they come from a loop.
    var isOfLoop: Bool { readings > Self.readingsOfHandler }

    /// Counts a read that begins.
    ///
    /// - Returns: ``isOfLoop``.
    mutating func note() -> Bool {
        let now = MonotonicClock.coarseNanoseconds
        if now != tick { (tick, readings) = (now, min(readings, 0)) }
        readings += 1
        return isOfLoop
    }

    /// Records a commit, after which bursts pause for a number of reads.
    ///
    /// An open read transaction would soon be outdated again, and it prevents the WAL from
    /// restarting.
    mutating func noteCommit() { readings = -3 * Self.readingsOfHandler }

    /// The largest number of reads in a tick that does not count as a loop.
    private static var readingsOfHandler: Int { 8 }
}
