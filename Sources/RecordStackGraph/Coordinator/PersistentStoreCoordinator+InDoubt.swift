import Dispatch
import RecordStackModel
import Synchronization

// Outcomes that are not known.
extension PersistentStoreCoordinator {
    func remember(_ token: SaveToken, _ capture: SaveCapture) {
        commits.withLock { $0.inDoubt = (token, capture, WrittenChanges(capture)) }
        isInDoubt.store(true, ordering: .releasing)
    }

    /// Finds out what became of a save whose outcome was unknown, before the next one.
    func resolveInDoubt() async throws {
        guard isInDoubt.load(ordering: .acquiring) else { return }
        try await withCheckedThrowingContinuation { continuation in
            queues.writer.async { [self] in
                continuation.resume(with: Result { try resolveInDoubtNow() })
            }
        }
    }

    func resolveInDoubtAndWait() throws {
        guard isInDoubt.load(ordering: .acquiring) else { return }
        try onWriterAndWait("a save that waits") { try resolveInDoubtNow() }
    }

    /// Whether nobody knows yet what became of a save.
    func isInDoubt(_ ticket: SaveTicket) -> Bool {
        commits.withLock { $0.inDoubt?.capture.ticket === ticket }
    }

    /// The same of a save with changes of a context, by the number of its cursor.
    func isInDoubt(of origin: Int) -> Bool {
        isInDoubt.load(ordering: .acquiring)
            && commits.withLock { $0.inDoubt?.capture.isOwn(origin) == true }
    }

    /// The save with changes of a context of which nobody knows yet what became.
    func inDoubtTicket(of origin: Int) -> SaveTicket? {
        if !isInDoubt.load(ordering: .acquiring) { return nil }
        return commits.withLock { commits in
            commits.inDoubt.flatMap { $0.capture.isOwn(origin) ? $0.capture.ticket : nil }
        }
    }

    /// Whether such a save writes a change.
    func isInDoubt(_ target: WriteTarget, of origin: Int) -> Bool {
        isInDoubt.load(ordering: .acquiring)
            && commits.withLock { commits in
                commits.inDoubt?.capture.isOwn(origin) == true
                    && commits.inDoubt?.written.contains(target) == true
            }
    }

    /// Called by the writer, before the next token replaces the one that tells, and before contexts hear of what
    /// was committed later.
    func resolveInDoubtIfNeeded() throws {
        if isInDoubt.load(ordering: .acquiring) { try resolveInDoubtNow() }
    }

    private func resolveInDoubtNow() throws {
        guard let inDoubt = commits.withLock({ $0.inDoubt }) else { return }
        if isClosed { throw RecordStackError.closedStack }
        if try store.resolveInDoubt(inDoubt.token) {
            deliver(
                inDoubt.capture, as: mark(of: inDoubt.token, inDoubt.capture.changes))
        }
        commits.withLock { $0.inDoubt = nil }
        isInDoubt.store(false, ordering: .releasing)
    }
}
