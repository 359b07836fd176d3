import RecordStackModel
import RecordStackPlatform
import Synchronization

extension PersistentStoreCoordinator {
    /// Returns the number of the last commit that a reader sees.
    ///
    /// A save of this stack is visible to readers a moment before it is in the log. The call waits
    /// for such a save while the writer works on it. During that time, the writer waits for
    /// nothing. The call does not wait for a save that is in doubt, or whose second store has
    /// failed. It then returns the number of the last commit in the log.
    func lastCommit(at position: StorePosition) -> Int {
        let own = position.lastNumber(of: saves.author)
        for look in 0... {
            // The order matters: a save that has ended is in the log by now, or never gets there.
            let isInProgress = own.map(saves.isInProgress) ?? false
            if let last = log.last(at: position, own: own) { return last }
            if !isInProgress || isInDoubt.load(ordering: .acquiring) { break }
            if look < Self.quickLooks {
                CurrentThread.yield()
            } else {
                CurrentThread.sleep(microseconds: 100)
            }
        }
        return log.last
    }

    /// The number of attempts without a pause. Later attempts are 0.1 ms apart.
    private static let quickLooks = 500
}
