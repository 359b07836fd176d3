import Dispatch
import RecordStackModel
import Synchronization

/// What a context has changed and not saved, for contexts of other isolations that rest on it.
///
/// The context publishes it, in its isolation; those that rest on it take it, in theirs. A save of either writes
/// what was published, so that no two of them are under way at a time.
final class PublishedChanges: Sendable {
    private struct State {
        var revision = Revision()
        /// The last save of the context, or of one that rests on it.
        var ticket: SaveTicket?
        /// The saves with changes of the context of which it has not heard: it goes on publishing those.
        var unheard: [CommittedChanges] = []

        func isWriting(otherThan own: SaveTicket?) -> Bool {
            guard let ticket, ticket !== own else { return false }
            return ticket.isUnderWay
        }
    }

    /// The number of the context's cursor, by which it learns what was saved of its changes.
    let number: Int
    /// The context's.
    let monitor: ContextMonitor
    private let state = Mutex(State())
    /// Whether the context is to publish what it has changed when its owner's turn ends.
    private let isBehind = Atomic(false)
    private let owner: OwningActor
    /// How long a turn of the main actor is waited for, in seconds.
    private let turnLimit: Double

    /// - Parameter context: one of the main actor.
    init(of context: ManagedObjectContext) {
        turnLimit = context.coordinator.watching.turnLimit
        owner = OwningActor(actor: MainActor.shared, context: context)
        number = context.cursor.number
        monitor = context.monitor
    }

    /// What is published at this moment.
    var revision: Revision { state.withLock { $0.revision } }

    /// Whether anything is published. Asked before what would be published is looked for.
    var isEmpty: Bool { state.withLock { $0.revision.isEmpty } }

    /// Has the context publish what it has changed when the turn of the main actor ends.
    func publishAfterTurn() {
        if isBehind.exchange(true, ordering: .relaxed) { return }
        owner.schedulePublishing()
    }

    /// Publishes what the main actor's turns until now have changed. Where nothing is behind, nothing is waited for; and
    /// a main thread that waits for the caller itself, or for good, is waited for no longer than the limit.
    func publishWhatIsBehind() async {
        if !isBehind.load(ordering: .relaxed) { return }
        await withCheckedContinuation { continuation in
            let caller = Caller(continuation)
            Task { [owner] in
                await owner.publishOnMain()
                caller.resume()
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + turnLimit) {
                caller.resume()
            }
        }
    }

    /// Somebody who waits for one of two things.
    private final class Caller: Sendable {
        private let continuation: Mutex<CheckedContinuation<Void, Never>?>

        init(_ continuation: CheckedContinuation<Void, Never>) {
            self.continuation = Mutex(continuation)
        }

        func resume() {
            let waiting = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            waiting?.resume()
        }
    }

    func beginPublishing() { isBehind.store(false, ordering: .relaxed) }

    func publish(_ revision: Revision) {
        state.withLock { state in
            if revision.isEmpty && state.revision.isEmpty { return }
            let next = state.revision.number + 1
            state.revision = revision
            for committed in state.unheard { state.revision.subtract(committed, of: number) }
            state.revision.number = next
        }
    }

    /// Withdraws a join row edit that the context gives up.
    /// - Returns: false if a save may have carried the edit.
    func withdraw(_ joinRow: JoinRow, in joinTable: Int, during turn: SaveTicket?) -> Bool {
        state.withLock { state in
            if state.isWriting(otherThan: turn) || !state.unheard.isEmpty { return false }
            if state.revision.links.indices.contains(joinTable),
                state.revision.links[joinTable][joinRow] != nil
            {
                state.revision.links[joinTable][joinRow] = nil
                state.revision.number += 1
            }
            return true
        }
    }

    // MARK: Saves

    /// Whether a save of the context, or of one that rests on it, is under way.
    func isWriting(otherThan own: SaveTicket?) -> Bool {
        state.withLock { $0.isWriting(otherThan: own) }
    }

    /// The save that is under way; nil where none is.
    var saveUnderWay: SaveTicket? {
        state.withLock { $0.ticket.flatMap { $0.isUnderWay ? $0 : nil } }
    }

    /// Makes a save the one that is under way.
    /// - Returns: false where another one is.
    func claim(_ ticket: SaveTicket) -> Bool {
        state.withLock { state in
            if state.ticket?.isUnderWay == true { return false }
            state.ticket = ticket
            return true
        }
    }

    /// What was saved is published no more, until the context has heard of it. Called by the writer.
    func discardSaved(_ committed: CommittedChanges) {
        guard committed.origins.contains(number) else { return }
        state.withLock { state in
            state.unheard.append(committed)
            if state.revision.isEmpty { return }
            state.revision.subtract(committed, of: number)
            state.revision.number += 1
        }
    }

    /// The context has heard of a save.
    func hear(_ committed: CommittedChanges) {
        state.withLock { $0.unheard.removeAll { $0 === committed } }
    }
}
