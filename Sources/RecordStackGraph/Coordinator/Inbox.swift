import Dispatch
import RecordStackModel
import Synchronization

/// What was committed, on its way to every context.
final class CommittedChanges: Sendable {
    /// Later commits have larger numbers.
    let sequence: Int
    let changes: ChangeSet
    /// The inboxes of the contexts whose own changes these are.
    let origins: Set<Int>
    /// What each of those contexts changed, where more than one did: its value of a property may
    /// have given way to that of a context below.
    let levels: [Int: CapturedLevel]
    /// The inbox of the only context that changed anything; nil where several did.
    let author: Int?
    /// The number of each of those contexts' last edit of pairs that was saved.
    let linkSerials: [Int: Int]
    /// The inbox of a context in another isolation than the others', which knows nothing of what they changed.
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

/// The committed changes that a context has not taken in yet, in the order of the commits.
///
/// The root's writer puts them in, on its own thread; the context takes them out, in its isolation.
final class Inbox: Sendable {
    struct Contents {
        var entries: [CommittedChanges] = []
        /// What the entries take up, in rows.
        var weight = 0
        /// Merges were dropped because there were too many: anything may have changed.
        var isCollapsed = false
        var isDrainScheduled = false
        /// When it is or was to be drained unasked, in nanoseconds.
        var drainTime: UInt64 = 0
        var owner: InboxOwner?

        /// When to drain, unasked: at once, or some time after the last time.
        mutating func planDrain() -> UInt64 {
            isDrainScheduled = true
            drainTime = max(DispatchTime.now().uptimeNanoseconds, drainTime + Inbox.drainPause)
            return drainTime
        }
    }

    /// No other inbox of the coordinator has or had the number.
    let number: Int
    /// The context's name, and what it has done.
    let monitor: ContextMonitor
    private let contents = Mutex(Contents())
    private let isFilled = Atomic(false)

    /// Who saves without a pause wakes the owners of other contexts once in so many nanoseconds, not each time.
    private static let drainPause: UInt64 = 2_000_000
    /// Past so many rows a context looks at what it holds by version instead.
    static let mostRows = 20_000
    /// What a commit takes up beside its rows, in rows: a context that is not used must not keep 20,000 saves of one row
    /// each, which is many times as much memory.
    private static let weightOfCommit = 9

    init(number: Int, monitor: ContextMonitor) {
        self.number = number
        self.monitor = monitor
    }

    var owner: InboxOwner? {
        get { contents.withLock { $0.owner } }
        set { contents.withLock { $0.owner = newValue } }
    }

    /// Whether there is something to take out. Costs next to nothing.
    var hasContents: Bool { isFilled.load(ordering: .acquiring) }

    /// Whether changes of a context are in there, its own or those of one that it stands for.
    func holdsOwn(_ number: Int) -> Bool {
        hasContents && contents.withLock { $0.entries.contains { $0.isOwn(number) } }
    }

    func owned(by number: Int) -> [CommittedChanges] {
        hasContents ? contents.withLock { $0.entries.filter { $0.isOwn(number) } } : []
    }

    func add(_ changes: CommittedChanges) {
        contents.withLock { contents in
            append(changes, to: &contents)
            if changes.changes.isPartial { contents.isCollapsed = true }
            isFilled.store(true, ordering: .releasing)
        }
    }

    /// Has the owner take out what was added, once that may be taken out.
    func wakeOwner() {
        let drain: (owner: InboxOwner, time: UInt64)? = contents.withLock { contents in
            guard !contents.isDrainScheduled, !contents.entries.isEmpty,
                let owner = contents.owner
            else { return nil }
            return (owner, contents.planDrain())
        }
        if let drain { drain.owner.scheduleDrain(at: drain.time) }
    }

    /// The drain that was scheduled takes out what has come until now. It comes, too, where an operation has been first:
    /// who saves and merges in turn schedules one drain, not one for each save.
    func beginScheduledDrain() { contents.withLock { $0.isDrainScheduled = false } }

    private func append(_ changes: CommittedChanges, to contents: inout Contents) {
        if contents.isCollapsed, let last = contents.entries.last, !last.origins.contains(number) {
            // What is dropped is looked for by version anyway: all but the newest is.
            contents.entries.removeLast()
            contents.weight -= Self.weight(of: last)
        }
        contents.entries.append(changes)
        contents.weight += Self.weight(of: changes)
        if contents.weight > Self.mostRows { collapse(&contents) }
    }

    private static func weight(of entry: CommittedChanges) -> Int {
        entry.changes.rowCount + weightOfCommit
    }

    /// Acknowledgements stay: a context must learn that its own changes are saved. The newest
    /// entry stays as well, so that a save larger than the bound is still merged from itself.
    private func collapse(_ contents: inout Contents) {
        let last = contents.entries.count - 1
        let kept = contents.entries.enumerated().filter { index, entry in
            index == last || entry.origins.contains(number)
        }.map(\.element)
        guard kept.count < contents.entries.count else { return }
        contents.entries = kept
        contents.weight = kept.reduce(0) { $0 + Self.weight(of: $1) }
        contents.isCollapsed = true
    }

    /// Takes out the commits up to a number.
    func take(upTo last: Int) -> (entries: [CommittedChanges], isCollapsed: Bool) {
        let (taken, isCollapsed) = contents.withLock { contents in
            let count = contents.entries.firstIndex { $0.sequence > last }
            let taken = Array(contents.entries[..<(count ?? contents.entries.count)])
            contents.entries.removeFirst(taken.count)
            contents.weight = contents.entries.reduce(0) { $0 + Self.weight(of: $1) }
            let isCollapsed = contents.isCollapsed && !taken.isEmpty
            // A later call may take a commit of which entries were dropped.
            if contents.entries.isEmpty { contents.isCollapsed = false }
            isFilled.store(!contents.entries.isEmpty, ordering: .releasing)
            return (taken, isCollapsed)
        }
        monitor.counters.merges.add(taken.count { !$0.origins.contains(number) })
        monitor.counters.remoteMerges.add(taken.count(where: \.isRemote))
        return (taken, isCollapsed)
    }
}

/// The actor in whose isolation a context lives, which takes in changes without being asked.
///
/// Weak: the actor keeps the context, the context its inbox. The main actor keeps nothing and lives
/// for ever.
struct InboxOwner: Sendable {
    private weak let actor: (any Actor)?
    let isMain: Bool
    private let home: ContextHome

    init(actor: any Actor, context: ManagedObjectContext) {
        isMain = actor === MainActor.shared
        self.actor = isMain ? nil : actor
        home = ContextHome(context)
    }

    /// Drains the inbox at a time in nanoseconds, or as soon as the owner has its turn. A main queue that is never run
    /// leaves it to the next operation.
    func scheduleDrain(at time: UInt64) {
        if time <= DispatchTime.now().uptimeNanoseconds { return scheduleDrain(of: home) }
        DispatchQueue.global().asyncAfter(deadline: DispatchTime(uptimeNanoseconds: time)) {
            [self] in scheduleDrain(of: home)
        }
    }

    /// Drains the inbox of a context below the owner's soon.
    func scheduleDrain(of context: ManagedObjectContext) { scheduleDrain(of: ContextHome(context)) }

    /// Drains an inbox of the main actor's at once, for a call that is made there.
    @MainActor func drainOnMain() async { await home.drain(isolation: MainActor.shared) }

    /// The same for a call on the main actor that does not await.
    func drainOnMainAndWait() { home.drainAndWait() }

    /// Publishes what the context has changed when the main actor's turn ends.
    func schedulePublishing() { Task { await publishOnMain() } }

    /// The same as soon as the main actor has its turn.
    @MainActor func publishOnMain() { home.publish() }

    private func scheduleDrain(of home: ContextHome) {
        guard let actor = isMain ? MainActor.shared : actor else { return }
        Task { await home.drainAsScheduled(isolation: actor) }
    }
}

/// Where an owner's context is found again. A task that waits for its turn, which may never come, holds
/// nothing else: not the anchor, which holds the store.
///
/// - Note: `@unchecked Sendable`: the weak reference is written once, before it is shared, and weak
///   references may be read while what they refer to dies on another thread. The context is used in its
///   owner's isolation alone.
private final class ContextHome: @unchecked Sendable {
    private weak var context: ManagedObjectContext?

    init(_ context: ManagedObjectContext) {
        self.context = context
    }

    func drain(isolation: isolated any Actor) async { await context?.takeInNow() }

    func drainAsScheduled(isolation: isolated any Actor) async {
        context?.inbox.beginScheduledDrain()
        await context?.takeInNow()
    }

    func drainAndWait() { context?.takeInAndWait() }

    func publish() { context?.publishChanges() }
}

/// The inboxes of all live contexts of a coordinator.
final class InboxRegistry: Sendable {
    /// In the order of their numbers.
    private let inboxes = Mutex<[Inbox]>([])
    private let lastNumber = Atomic(0)
    /// The number of the last commit that stands in every inbox. Contexts take out no later ones: a child that has heard
    /// of less than its parent would take what the parent has saved for something that the parent gave up.
    private let lastDelivered = Atomic(0)

    var delivered: Int { lastDelivered.load(ordering: .acquiring) }

    /// A new inbox, which hears of every commit from now on.
    func makeInbox(of monitor: ContextMonitor) -> Inbox {
        inboxes.withLock { inboxes in
            let inbox = Inbox(
                number: lastNumber.add(1, ordering: .relaxed).newValue, monitor: monitor)
            inboxes.append(inbox)
            return inbox
        }
    }

    /// The main actor's contexts that follow. Also those whose inbox is empty: what was in it may be read just now.
    var ownersOnMain: [InboxOwner] {
        inboxes.withLock { inboxes in
            inboxes.compactMap { inbox in inbox.owner.flatMap { $0.isMain ? $0 : nil } }
        }
    }

    var monitors: [ContextMonitor] { inboxes.withLock { $0.map(\.monitor) } }

    func remove(_ inbox: Inbox) {
        inboxes.withLock { inboxes in
            var (lower, upper) = (0, inboxes.count)
            while lower < upper {
                let middle = (lower + upper) / 2
                if inboxes[middle].number < inbox.number {
                    lower = middle + 1
                } else {
                    upper = middle
                }
            }
            if lower < inboxes.count && inboxes[lower] === inbox { inboxes.remove(at: lower) }
        }
    }

    func deliver(_ changes: CommittedChanges) {
        let live = inboxes.withLock { $0 }
        for inbox in live { inbox.add(changes) }
        lastDelivered.store(changes.sequence, ordering: .releasing)
        for inbox in live { inbox.wakeOwner() }
    }
}
