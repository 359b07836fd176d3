import Dispatch
import RecordStackModel
import Synchronization

// Outcomes that are not known.
extension PersistentStoreCoordinator {
    func remember(_ token: SaveToken, _ capture: SaveCapture) {
        commits.withLock { $0.unsettled = (token, capture, WrittenChanges(capture)) }
        isUnsettled.store(true, ordering: .releasing)
    }

    /// Finds out what became of a save whose outcome was unknown, before the next one.
    func settle() async throws {
        guard isUnsettled.load(ordering: .acquiring) else { return }
        try await withCheckedThrowingContinuation { continuation in
            queues.writer.async { [self] in continuation.resume(with: Result { try settleNow() }) }
        }
    }

    func settleAndWait() throws {
        guard isUnsettled.load(ordering: .acquiring) else { return }
        try onWriterAndWait("a save that waits") { try settleNow() }
    }

    /// Whether nobody knows yet what became of a save.
    func isUnsettled(_ ticket: SaveTicket) -> Bool {
        commits.withLock { $0.unsettled?.capture.ticket === ticket }
    }

    /// The same of a save with changes of a context, by the number of its cursor.
    func isUnsettled(of origin: Int) -> Bool {
        isUnsettled.load(ordering: .acquiring)
            && commits.withLock { $0.unsettled?.capture.isOwn(origin) == true }
    }

    /// The save with changes of a context of which nobody knows yet what became.
    func unsettledTicket(of origin: Int) -> SaveTicket? {
        if !isUnsettled.load(ordering: .acquiring) { return nil }
        return commits.withLock { commits in
            commits.unsettled.flatMap { $0.capture.isOwn(origin) ? $0.capture.ticket : nil }
        }
    }

    /// Whether such a save writes a change.
    func isUnsettled(_ place: WrittenPlace, of origin: Int) -> Bool {
        isUnsettled.load(ordering: .acquiring)
            && commits.withLock { commits in
                commits.unsettled?.capture.isOwn(origin) == true
                    && commits.unsettled?.written.contains(place) == true
            }
    }

    /// Called by the writer, before the next token takes the place of the one that tells, and before contexts hear of what
    /// was committed later.
    func settleIfNeeded() throws {
        if isUnsettled.load(ordering: .acquiring) { try settleNow() }
    }

    private func settleNow() throws {
        guard let unsettled = commits.withLock({ $0.unsettled }) else { return }
        if isClosed { throw RecordStackError.closedStack }
        if try store.settle(unsettled.token) {
            deliver(
                unsettled.capture, as: mark(of: unsettled.token, unsettled.capture.changes))
        }
        commits.withLock { $0.unsettled = nil }
        isUnsettled.store(false, ordering: .releasing)
    }
}
