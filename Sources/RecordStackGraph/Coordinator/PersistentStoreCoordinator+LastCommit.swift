import RecordStackModel
import RecordStackPlatform
import Synchronization

extension PersistentStoreCoordinator {
    /// Returns the number of the last commit that a reader sees.
    ///
    /// A save of this stack is visible a moment before it is in the log. The call waits for it, for as long as the writer is
    /// at that save: the writer waits for nobody in between. A save that is in doubt, or whose second store has failed, is
    /// not waited for: then the context takes in what the log has.
    func lastCommit(at position: StorePosition) -> Int {
        let own = position.lastNumber(of: saves.author)
        for look in 0... {
            // Asked first: a save that has ended is in the log by now, or does not get there.
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

    /// The number of looks without a pause. Later looks are 0.1 ms apart.
    private static let quickLooks = 500
}
