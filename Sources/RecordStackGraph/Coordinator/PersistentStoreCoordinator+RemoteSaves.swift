import Dispatch
import RecordStackModel
import Synchronization

// What other stacks on the file have saved, in this process and in others, goes the way of any save.
extension PersistentStoreCoordinator {
    /// Looks for it in turn with the saves, so that the order of all is the order of the commits.
    package func lookForRemoteSaves() {
        if isClosed || isToLook.exchange(true, ordering: .acquiringAndReleasing) { return }
        writer.async { [self] in
            isToLook.store(false, ordering: .releasing)
            // What cannot be read now is found by the next look.
            _ = try? takeInRemoteSaves()
        }
    }

    /// Tells all contexts of it. Called by the writer.
    /// - Returns: whether there was anything.
    func takeInRemoteSaves() throws -> Bool {
        if isClosed { return false }
        guard let changes = try store.remoteChanges() else { return false }
        // What came before is heard of before, if that can be found out now.
        try? settleIfNeeded()
        var capture = SaveCapture(ofNobody: changes)
        capture.isRemote = true
        deliver(capture)
        return true
    }
}
