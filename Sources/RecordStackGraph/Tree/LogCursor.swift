import Dispatch
import RecordStackModel
import Synchronization

/// Where a context stands in the log of commits. The context moves it, in its isolation.
final class LogCursor: Sendable {
    private struct Contents {
        /// The unread commits with changes of the context, or of the one that it is a snapshot of. The log may drop them.
        var own: [CommittedChanges] = []
        var isDrainScheduled = false
        /// When it is or was to be drained unasked, in nanoseconds.
        var drainTime: UInt64 = 0
        var owner: OwningActor?

        /// Removes the own commits up to a number.
        /// - Returns: those of them whose numbers are in a range.
        mutating func takeOwn(upTo last: Int, in range: Range<Int>) -> [CommittedChanges] {
            guard let first = own.first, first.sequence <= last else { return [] }
            let count = own.firstIndex { $0.sequence > last } ?? own.count
            defer {
                if count == own.count {
                    own.removeAll(keepingCapacity: true)
                } else {
                    own.removeFirst(count)
                }
            }
            return range.isEmpty ? [] : own[..<count].filter { range.contains($0.sequence) }
        }

        /// When to drain, unasked: at once, or some time after the last time.
        mutating func planDrain() -> UInt64 {
            isDrainScheduled = true
            drainTime = max(DispatchTime.now().uptimeNanoseconds, drainTime + LogCursor.drainPause)
            return drainTime
        }
    }

    /// No other cursor of the coordinator has or had the number.
    let number: Int
    /// The number of the cursor of the context that this one's is a snapshot of.
    let parent: Int?
    /// The context's name, and what it has done.
    let monitor: ContextMonitor
    // The context holds the coordinator, which holds the log.
    private unowned let log: CommitLog
    private let contents = Mutex(Contents())
    private let nextNumber: Atomic<Int>

    /// Who saves without a pause wakes the owners of other contexts once in so many nanoseconds, not each time.
    private static let drainPause: UInt64 = 2_000_000

    init(
        number: Int, parent: Int?, log: CommitLog, monitor: ContextMonitor, next: Int
    ) {
        self.number = number
        self.parent = parent
        self.log = log
        self.monitor = monitor
        nextNumber = Atomic(next)
    }

    /// The owner of the context, which takes in what was committed without being asked.
    var owner: OwningActor? { contents.withLock { $0.owner } }

    /// Has an owner take in what is committed from now on.
    func follow(for owner: OwningActor) {
        contents.withLock { $0.owner = owner }
        log.follow(self)
    }

    // MARK: For the log

    /// The number of the commit that is read next. The log alone moves it.
    var next: Int { nextNumber.load(ordering: .acquiring) }

    func stand(before next: Int) { nextNumber.store(next, ordering: .releasing) }

    /// Nothing is read any more.
    func end() {
        stand(before: .max)
        contents.withLock { $0.own = [] }
    }

    func keep(_ commit: CommittedChanges) { contents.withLock { $0.own.append(commit) } }

    /// Has the owner take in what was committed.
    func wakeOwner() {
        let drain: (owner: OwningActor, time: UInt64)? = contents.withLock { contents in
            guard !contents.isDrainScheduled, hasUnread, let owner = contents.owner else {
                return nil
            }
            return (owner, contents.planDrain())
        }
        if let drain { drain.owner.scheduleDrain(at: drain.time) }
    }

    // MARK: For the context

    /// Whether there is something to read. Costs next to nothing.
    var hasUnread: Bool { next <= log.last }

    /// Returns the unread commits with changes of a context: this one, or the one that it is a snapshot of.
    func owned(by number: Int) -> [CommittedChanges] {
        if !hasUnread { return [] }
        return contents.withLock { $0.own.filter { $0.isOwn(number) } }
    }

    /// Whether there are such commits.
    func holdsOwn(_ number: Int) -> Bool {
        hasUnread && contents.withLock { $0.own.contains { $0.isOwn(number) } }
    }

    /// The drain that was scheduled takes out what has come until now. It comes, too, where an operation has been first:
    /// who saves and merges in turn schedules one drain, not one for each save.
    func beginScheduledDrain() { contents.withLock { $0.isDrainScheduled = false } }

    /// Reads the commits up to a number.
    /// - Returns: the commits, oldest first, and whether rows may have changed that they do not list. Of the commits that the
    ///   log dropped, there are those with changes of the context.
    /// - Parameter position: the saves of other stacks that the context has taken in already.
    func take(
        upTo last: Int, after position: StorePosition
    ) -> (commits: [CommittedChanges], isCollapsed: Bool) {
        let (read, missed) = log.read(self, upTo: last)
        let own = contents.withLock { $0.takeOwn(upTo: last, in: missed) }
        var commits =
            read.contains { $0.isKnown(at: position) }
            ? read.filter { !$0.isKnown(at: position) } : read
        if !own.isEmpty { commits.insert(contentsOf: own, at: 0) }
        monitor.counters.merges.add(commits.count { !$0.origins.contains(number) })
        monitor.counters.remoteMerges.add(commits.count(where: \.isRemote))
        let isCollapsed = own.count < missed.count || commits.contains { $0.changes.isTruncated }
        return (commits, isCollapsed)
    }
}
