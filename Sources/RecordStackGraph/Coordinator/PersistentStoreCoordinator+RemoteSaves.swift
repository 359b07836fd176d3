import Dispatch
import RecordStackModel
import Synchronization

// What other stacks on the file have saved, in this process and in others, goes the way of any save.
extension PersistentStoreCoordinator {
    /// When a stack begins to listen. The watch costs a thread, which a program that opens a store, reads once and ends
    /// would have to wait for.
    enum RemoteUse: UInt8, AtomicRepresentable {
        /// Nothing has been read, so that nothing can be outdated.
        case none
        /// One operation has read something.
        case once
        case follows
    }

    /// An operation begins: the second one needs to know what has come since the first.
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

    /// Listens from now on, and looks once for what was saved before: for a context that follows, a save, and the second
    /// operation.
    func followRemoteSaves() {
        if remote.remoteUse.load(ordering: .relaxed) == .follows { return }
        if remote.remoteUse.exchange(.follows, ordering: .relaxed) == .follows { return }
        store.watchRemoteSaves { [weak self] in self?.lookForRemoteSaves() }
        lookForRemoteSaves()
    }

    /// Looks for it in turn with the saves, so that the order of all is the order of the commits.
    package func lookForRemoteSaves() {
        if isClosed || remote.isToLook.exchange(true, ordering: .acquiringAndReleasing) { return }
        queues.writer.async { [self] in
            remote.isToLook.store(false, ordering: .releasing)
            // What cannot be read now is found by the next look.
            _ = try? takeInRemoteSaves()
        }
    }

    /// Tells all contexts of it. Called by the writer.
    /// - Returns: whether there was anything.
    func takeInRemoteSaves() throws -> Bool {
        if isClosed { return false }
        guard let remote = try store.remoteChanges() else { return false }
        // What came before is heard of before, if that can be found out now.
        try? resolveInDoubtIfNeeded()
        deliver(remote)
        return true
    }
}
