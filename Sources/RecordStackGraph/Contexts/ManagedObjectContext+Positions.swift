import Glibc
import RecordStackModel
import Synchronization

// An operation shows whole commits: all saves that its reader sees, and no others. A reader sees the saves up to its position.
extension ManagedObjectContext {
    /// Takes in the saves up to a reader's position, in this context and its ancestors.
    /// - Parameter position: where the reader's transaction stands.
    func takeIn(upTo position: StorePosition, with reader: any StoreReader) throws {
        var isThere = true
        forEachUp { isThere = isThere && $0.position == position && !$0.cursor.hasUnread }
        if isThere {
            positionNumber = cursor.next - 1
            return
        }
        let last = coordinator.lastCommit(at: position)
        mergeCommits(upTo: last)
        var taken: (since: StorePosition, changes: ChangeSet?)?
        var isSuspended = false
        for context in chain.reversed() {
            isSuspended = isSuspended || context.mergeSuspensions > 0
            if isSuspended || context.position == position { continue }
            context.judgeRowsAhead()
            defer {
                context.position = position
                context.positionNumber = last
            }
            let since = context.position
            let isBehind = position.hasSaves(ofOthersThan: coordinator.author, since: since)
            guard isBehind, context.holdsSomething else { continue }
            if taken?.since != since {
                taken = (since, try remoteChanges(since: since, reader))
            }
            if let changes = taken?.changes { context.take(changes, upTo: position) }
        }
    }

    private func remoteChanges(
        since position: StorePosition, _ reader: any StoreReader
    ) throws -> ChangeSet? {
        let (merging, author) = (
            MergeReader(of: coordinator.store, lending: reader), coordinator.author
        )
        return try merging.ask { try $0.remoteChanges(since: position, author: author) }
    }

    private func take(_ changes: ChangeSet, upTo position: StorePosition) {
        monitor.counters.merges.add(1)
        monitor.counters.remoteMerges.add(1)
        merge([
            CommittedChanges(
                sequence: 0, capture: SaveCapture(ofNobody: changes), mark: .remote(position))
        ])
        if changes.isPartial { demandRefreshByVersion() }
    }

    /// Whether it has objects or members that commits of others can change.
    var holdsSomething: Bool {
        !loadedMembers.isEmpty || tables.contains { $0.map.count > 0 }
            || links.contains { !$0.isEmpty }
    }
}

extension PersistentStoreCoordinator {
    /// Returns the number of the last commit that a reader sees.
    ///
    /// A save of this stack is visible a moment before it is in the log. The call waits for it, for as long as the writer is
    /// at that save: the writer waits for nobody in between. A save that is in doubt, or whose second store has failed, is
    /// not waited for: then the context takes in what the log has.
    func lastCommit(at position: StorePosition) -> Int {
        let own = position.lastNumber(of: author)
        for look in 0... {
            // Asked first: a save that has ended is in the log by now, or does not get there.
            let isInProgress = own.map(isInProgress) ?? false
            if let last = log.last(at: position, own: own) { return last }
            if !isInProgress || isUnsettled.load(ordering: .acquiring) { break }
            if look < Self.quickLooks { sched_yield() } else { usleep(100) }
        }
        return log.last
    }

    /// The number of looks without a pause. Later looks are 0.1 ms apart.
    private static let quickLooks = 500
}
