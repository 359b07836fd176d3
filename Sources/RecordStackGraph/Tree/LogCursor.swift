import Dispatch
import RecordStackModel
import Synchronization

/// The point in the commit log up to which a context has read.
///
/// The context moves it in its own isolation, by reading the log.
final class LogCursor: Sendable {
    private struct Contents {
        /// The unread commits with changes of the context, or of the context that it copies.
        ///
        /// They are kept here because the log may drop them.
        var own: [CommittedChanges] = []
        var isDrainScheduled = false
        /// The time for which the last drain was scheduled, in nanoseconds.
        var drainTime: UInt64 = 0
        var owner: OwningActor?

        /// Removes the own commits up to a number.
        ///
        /// - Returns: the removed commits whose numbers are in a range.
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

        /// Schedules a drain and returns its time: now, or a pause after the drain before.
        mutating func planDrain() -> UInt64 {
            isDrainScheduled = true
            drainTime = max(DispatchTime.now().uptimeNanoseconds, drainTime + LogCursor.drainPause)
            return drainTime
        }
    }

    /// The number of the cursor. No other cursor of the coordinator has or had it.
    let number: Int
    /// For a parent snapshot, the cursor number of the context that it copies.
    let parent: Int?
    /// The context's name and counters.
    let monitor: ContextMonitor
    // The context retains the coordinator, which retains the log.
    private unowned let log: CommitLog
    private let contents = Mutex(Contents())
    private let nextNumber: Atomic<Int>

    /// The shortest time between two drains, in nanoseconds.
    ///
    /// A loop of saves wakes the owners of other contexts once in this time, not once for each
    /// save.
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

    /// The owner of the context, which merges each commit on its own; nil if there is none.
    var owner: OwningActor? { contents.withLock { $0.owner } }

    /// Registers an owner that merges each commit from now on.
    func follow(for owner: OwningActor) {
        contents.withLock { $0.owner = owner }
        log.follow(self)
    }

    // MARK: For the log

    /// The number of the commit that is read next. Only the log moves it.
    var next: Int { nextNumber.load(ordering: .acquiring) }

    func stand(before next: Int) { nextNumber.store(next, ordering: .releasing) }

    /// Ends reading: from now on, the cursor has no unread commits.
    func end() {
        stand(before: .max)
        contents.withLock { $0.own = [] }
    }

    func keep(_ commit: CommittedChanges) { contents.withLock { $0.own.append(commit) } }

    /// Schedules a drain by the owner, unless one is scheduled already or nothing is unread.
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

    /// Whether there are unread commits. The check costs almost nothing.
    var hasUnread: Bool { next <= log.last }

    /// Returns the unread commits with changes of a context.
    ///
    /// - Parameter number: the cursor number of this context, or of the context that it is a
    ///   snapshot of.
    func owned(by number: Int) -> [CommittedChanges] {
        if !hasUnread { return [] }
        return contents.withLock { $0.own.filter { $0.isOwn(number) } }
    }

    /// Whether there are unread commits with changes of a context.
    func holdsOwn(_ number: Int) -> Bool {
        hasUnread && contents.withLock { $0.own.contains { $0.isOwn(number) } }
    }

    /// Records that the scheduled drain runs now, so that the next commit may schedule another one.
    ///
    /// The drain runs even if an operation has read the commits before it. A loop that saves and
    /// merges in turn therefore schedules one drain, not one for each save.
    func beginScheduledDrain() { contents.withLock { $0.isDrainScheduled = false } }

    /// Reads the commits up to a number.
    ///
    /// - Parameter position: the saves of other stacks that the context has merged already.
    /// - Returns: the commits, oldest first, and whether rows may have changed that they do not
    ///   list. Of the commits that the log has dropped, the result contains only those with changes
    ///   of the context.
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
