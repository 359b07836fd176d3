import Dispatch
import RecordStackModel
import Synchronization

/// A context's unsaved changes, for contexts of other isolations that are based on it.
///
/// The context publishes the changes in its own isolation, and the contexts that are based on it
/// read them in theirs. A save of any of these contexts writes published changes, so only one such
/// save runs at a time.
final class PublishedChanges: Sendable {
    private struct State {
        var revision = Revision()
        /// The last save of the context, or of a context that is based on it.
        var ticket: SaveTicket?
        /// The saves with changes of the context that the context has not merged yet.
        ///
        /// Until then, the context still publishes those changes, so each revision leaves them out.
        var unheard: [CommittedChanges] = []

        func isWriting(otherThan own: SaveTicket?) -> Bool {
            guard let ticket, ticket !== own else { return false }
            return ticket.isUnderWay
        }
    }

    /// The number of the context's cursor, under which commits list the context's changes.
    let number: Int
    /// The context's monitor.
    let monitor: ContextMonitor
    private let state = Mutex(State())
    /// True if the context is going to publish its changes when its owner's turn ends.
    private let isBehind = Atomic(false)
    private let owner: OwningActor
    /// The longest wait for a turn of the main actor, in seconds.
    private let turnLimit: Double

    /// Creates the published changes of a context.
    ///
    /// - Parameter context: a context of the main actor.
    init(of context: ManagedObjectContext) {
        turnLimit = context.coordinator.watching.turnLimit
        owner = OwningActor(actor: MainActor.shared, context: context)
        number = context.cursor.number
        monitor = context.monitor
    }

    /// The revision that is published now.
    var revision: Revision { state.withLock { $0.revision } }

    /// Whether nothing is published. Check this before you collect changes to publish.
    var isEmpty: Bool { state.withLock { $0.revision.isEmpty } }

    /// Makes the context publish its changes when the main actor's turn ends.
    func publishAfterTurn() {
        if isBehind.exchange(true, ordering: .relaxed) { return }
        owner.schedulePublishing()
    }

    /// Publishes the changes that the main actor's turns have made until now.
    ///
    /// If nothing has to be published, the call does not wait. If the main thread itself waits for
    /// the caller, or is blocked for good, the call returns after the limit.
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

    /// A caller that waits for the first of two events.
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

    /// Withdraws a join row edit that the context has discarded.
    ///
    /// - Returns: false if a save may have written the edit.
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

    /// Whether a save of the context, or of a context that is based on it, is running.
    func isWriting(otherThan own: SaveTicket?) -> Bool {
        state.withLock { $0.isWriting(otherThan: own) }
    }

    /// The save that is running; nil if there is none.
    var saveUnderWay: SaveTicket? {
        state.withLock { $0.ticket.flatMap { $0.isUnderWay ? $0 : nil } }
    }

    /// Makes a save the one that is running.
    ///
    /// - Returns: false if another save is running.
    func claim(_ ticket: SaveTicket) -> Bool {
        state.withLock { state in
            if state.ticket?.isUnderWay == true { return false }
            state.ticket = ticket
            return true
        }
    }

    /// Removes saved changes until the context has merged the save. Called by the writer.
    func discardSaved(_ committed: CommittedChanges) {
        guard committed.origins.contains(number) else { return }
        state.withLock { state in
            state.unheard.append(committed)
            if state.revision.isEmpty { return }
            state.revision.subtract(committed, of: number)
            state.revision.number += 1
        }
    }

    /// Records that the context has merged a save.
    func hear(_ committed: CommittedChanges) {
        state.withLock { $0.unheard.removeAll { $0 === committed } }
    }
}
