import Dispatch
import RecordStackModel
import Synchronization

/// Where a context stands in the log of commits. The context moves it, in its isolation.
final class LogCursor: Sendable {
    private struct Contents {
        /// The commits with changes of the context that it has not taken in: it takes them in however much else was dropped.
        var own: [CommittedChanges] = []
        var isDrainScheduled = false
        /// When it is or was to be drained unasked, in nanoseconds.
        var drainTime: UInt64 = 0
        var owner: FollowingOwner?

        /// When to drain, unasked: at once, or some time after the last time.
        mutating func planDrain() -> UInt64 {
            isDrainScheduled = true
            drainTime = max(DispatchTime.now().uptimeNanoseconds, drainTime + LogCursor.drainPause)
            return drainTime
        }
    }

    /// No other cursor of the coordinator has or had the number.
    let number: Int
    /// The context's name, and what it has done.
    let monitor: ContextMonitor
    // The context holds the coordinator, which holds the log.
    private unowned let log: CommitLog
    private let contents = Mutex(Contents())
    private let nextNumber: Atomic<Int>

    /// Who saves without a pause wakes the owners of other contexts once in so many nanoseconds, not each time.
    private static let drainPause: UInt64 = 2_000_000

    init(number: Int, log: CommitLog, monitor: ContextMonitor, next: Int) {
        self.number = number
        self.log = log
        self.monitor = monitor
        nextNumber = Atomic(next)
    }

    /// The owner of the context, which takes in what was committed without being asked.
    var owner: FollowingOwner? { contents.withLock { $0.owner } }

    /// Has an owner take in what is committed from now on.
    func follow(for owner: FollowingOwner) {
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
        let drain: (owner: FollowingOwner, time: UInt64)? = contents.withLock { contents in
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

    /// The commits that are not read and have changes of a context, this one or the one that it stands for.
    func owned(by number: Int) -> [CommittedChanges] {
        if !hasUnread { return [] }
        if number == self.number { return contents.withLock { $0.own } }
        return log.unread(self).filter { $0.isOwn(number) }
    }

    /// Whether there are such.
    func holdsOwn(_ number: Int) -> Bool { !owned(by: number).isEmpty }

    /// The drain that was scheduled takes out what has come until now. It comes, too, where an operation has been first:
    /// who saves and merges in turn schedules one drain, not one for each save.
    func beginScheduledDrain() { contents.withLock { $0.isDrainScheduled = false } }

    /// Reads the commits up to a number.
    /// - Returns: them, and whether anything may have changed besides. Then there are only those with changes of the context and
    ///   the newest, as all others are looked for by version anyway.
    func take(upTo last: Int) -> (commits: [CommittedChanges], isCollapsed: Bool) {
        let read = log.read(self, upTo: last)
        let own = contents.withLock { contents in
            let count = contents.own.firstIndex { $0.sequence > last } ?? contents.own.count
            defer { contents.own.removeFirst(count) }
            return Array(contents.own[..<count])
        }
        var commits = read.compactMap { $0 }
        let isCollapsed =
            commits.count < read.count || commits.contains { $0.changes.isPartial }
        if isCollapsed {
            let newest = read.last.flatMap { $0 }
            commits = own
            if let newest, newest.sequence != own.last?.sequence { commits.append(newest) }
        }
        monitor.counters.merges.add(commits.count { !$0.origins.contains(number) })
        monitor.counters.remoteMerges.add(commits.count(where: \.isRemote))
        return (commits, isCollapsed)
    }
}
