import Dispatch
import RecordStackModel
import Synchronization

// Saves whose outcome is unknown.
extension PersistentStoreCoordinator {
    func remember(_ token: SaveToken, _ capture: SaveCapture) {
        commits.withLock { $0.inDoubt = (token, capture, WrittenChanges(capture)) }
        isInDoubt.store(true, ordering: .releasing)
    }

    /// Finds out whether an in-doubt save was written, before the next save.
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
        try onWriterAndWait("a save that resolves an in-doubt save") { try resolveInDoubtNow() }
    }

    /// Whether a save is in doubt.
    func isInDoubt(_ ticket: SaveTicket) -> Bool {
        commits.withLock { $0.inDoubt?.capture.ticket === ticket }
    }

    /// Whether a save with changes of a context is in doubt.
    ///
    /// - Parameter origin: the number of the context's cursor.
    func isInDoubt(of origin: Int) -> Bool {
        isInDoubt.load(ordering: .acquiring)
            && commits.withLock { $0.inDoubt?.capture.isOwn(origin) == true }
    }

    /// Returns the in-doubt save that has changes of a context; nil if there is none.
    func inDoubtTicket(of origin: Int) -> SaveTicket? {
        if !isInDoubt.load(ordering: .acquiring) { return nil }
        return commits.withLock { commits in
            commits.inDoubt.flatMap { $0.capture.isOwn(origin) ? $0.capture.ticket : nil }
        }
    }

    /// Whether an in-doubt save with changes of a context writes a change.
    func isInDoubt(_ target: WriteTarget, of origin: Int) -> Bool {
        isInDoubt.load(ordering: .acquiring)
            && commits.withLock { commits in
                commits.inDoubt?.capture.isOwn(origin) == true
                    && commits.inDoubt?.written.contains(target) == true
            }
    }

    /// Finds out whether an in-doubt save was written. Called by the writer.
    ///
    /// It must run before the next token replaces the one that proves the save, and before contexts
    /// merge later commits.
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
