import Dispatch
import RecordStackModel
import Synchronization

// The saves of other stacks on the file take the same path as the saves of this stack. The other
// stacks may be in this process or in another one.
extension PersistentStoreCoordinator {
    /// How far a stack is from watching for remote saves.
    ///
    /// The watch costs a thread. A program that opens a store, reads once and ends would have to
    /// wait for that thread.
    enum RemoteUse: UInt8, AtomicRepresentable {
        /// Nothing was read, so nothing can be out of date.
        case none
        /// One operation has read something.
        case once
        /// The stack watches for remote saves.
        case follows
    }

    /// Records that an operation begins.
    ///
    /// The second operation must see all saves since the first one.
    @inline(__always)
    func noteOperation() {
        if remote.remoteUse.load(ordering: .relaxed) != .follows { noteEarlyOperation() }
    }

    @inline(never)
    private func noteEarlyOperation() {
        let (isFirst, _) = remote.remoteUse.compareExchange(
            expected: .none, desired: .once, ordering: .relaxed)
        if !isFirst { followRemoteSaves() }
    }

    /// Watches for remote saves from now on, and looks once for earlier ones.
    ///
    /// Called for a following context, for a save, and for the second operation.
    func followRemoteSaves() {
        if remote.remoteUse.load(ordering: .relaxed) == .follows { return }
        if remote.remoteUse.exchange(.follows, ordering: .relaxed) == .follows { return }
        store.watchRemoteSaves { [weak self] in self?.lookForRemoteSaves() }
        lookForRemoteSaves()
    }

    /// Looks for remote saves between the stack's own saves, which keeps the log in order.
    package func lookForRemoteSaves() {
        if isClosed || remote.isToLook.exchange(true, ordering: .acquiringAndReleasing) { return }
        queues.writer.async { [self] in
            remote.isToLook.store(false, ordering: .releasing)
            // The next look finds what cannot be read now.
            _ = try? takeInRemoteSaves()
        }
    }

    /// Delivers remote saves to all contexts. Called by the writer.
    ///
    /// - Returns: whether there were any.
    func takeInRemoteSaves() throws -> Bool {
        if isClosed { return false }
        guard let remote = try store.remoteChanges() else { return false }
        // Contexts must merge an earlier in-doubt save first, if its outcome can be found out now.
        try? resolveInDoubtIfNeeded()
        deliver(remote)
        return true
    }
}
