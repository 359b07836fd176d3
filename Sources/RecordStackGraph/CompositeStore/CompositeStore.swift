package import FoundationEssentials
package import RecordStackModel
import Synchronization

/// A lasting store, and a store in memory for the entities whose objects end with the stack.
///
/// Each store keeps its own hierarchies, and no relationship refers from one store to the other.
/// Saving is the only work that may need both stores.
package final class CompositeStore: PersistentStore {
    let lasting: any PersistentStore
    let volatile: any PersistentStore
    let model: ManagedObjectModel
    /// The changes in memory that an in-doubt save still has to make if the file has the save.
    private let inDoubt = Mutex<(token: SaveToken, plan: SavePlan)?>(nil)
    private let written = Mutex(StoreStatistics())

    /// Creates a store from two stores.
    ///
    /// - Parameters:
    ///   - lasting: the store for the entities that are not kept in memory.
    ///   - volatile: the store for the entities that are kept in memory.
    package init(
        lasting: any PersistentStore, volatile: any PersistentStore, model: ManagedObjectModel
    ) {
        self.lasting = lasting
        self.volatile = volatile
        self.model = model
    }

    func store(ofHierarchy hierarchy: Int) -> any PersistentStore {
        model.hierarchies[hierarchy].isInMemory ? volatile : lasting
    }

    package var uuid: UUID { lasting.uuid }

    package func uuid(ofHierarchy hierarchy: Int) -> UUID { store(ofHierarchy: hierarchy).uuid }

    package func reader(inBurst: Bool) throws -> any StoreReader {
        try checkUsable()
        return CompositeReader(of: self, inBurst: inBurst)
    }

    package func endBursts() {
        lasting.endBursts()
        volatile.endBursts()
    }

    // MARK: Writing

    /// Tries the changes in memory, commits to the file, and then makes the changes in memory.
    ///
    /// The last step cannot fail, because nothing else writes to memory. While the disk works,
    /// memory can be read.
    package func save(
        _ plan: SavePlan, token: SaveToken, options: SaveOptions,
        willWrite: (RemoteChanges) -> Void
    ) throws -> SaveResult {
        let (lastingPlan, volatilePlan) = plan.split(model)
        guard let volatilePlan else {
            defer { note(lasting) }
            return try lasting.save(
                plan, token: token, options: options, willWrite: willWrite)
        }
        guard let lastingPlan else {
            defer { note(volatile) }
            return try volatile.save(
                plan, token: token, options: options, willWrite: willWrite)
        }
        return try save(lastingPlan, then: volatilePlan, token, options, willWrite)
    }

    private func save(
        _ plan: SavePlan, then volatilePlan: SavePlan, _ token: SaveToken, _ options: SaveOptions,
        _ willWrite: (RemoteChanges) -> Void
    ) throws -> SaveResult {
        var done = StoreStatistics()
        defer { written.withLock { $0 = done } }
        let result = try volatile.dryRun(volatilePlan)
        done = volatile.writeStatistics
        done.rowsWritten = 0
        if case .stale = result { return result }
        var oldPositions = OldPositions()
        do {
            let result = try lasting.save(
                plan, token: token, options: options, willWrite: willWrite)
            done = done + lasting.writeStatistics
            guard case .saved(let positions) = result else { return result }
            oldPositions = positions
        } catch let error as RecordStackError where error.code == .outcomeUnknown {
            inDoubt.withLock { $0 = (token, volatilePlan) }
            throw error
        }
        defer { done = done + volatile.writeStatistics }
        let last = try volatile.save(
            volatilePlan, token: token, options: [], willWrite: { _ in })
        guard case .saved(let positions) = last else { return last }
        oldPositions.add(positions)
        return .saved(oldPositions)
    }

    private func note(_ store: any PersistentStore) {
        let statistics = store.writeStatistics
        written.withLock { $0 = statistics }
    }

    package func resolveInDoubt(_ token: SaveToken) throws -> Bool {
        let isSaved = try lasting.resolveInDoubt(token)
        if isSaved, let waiting = inDoubt.withLock({ $0 }), waiting.token == token {
            _ = try volatile.save(waiting.plan, token: token, options: [], willWrite: { _ in })
        }
        // If the store in memory throws, the plan stays, and the next call tries it again.
        inDoubt.withLock { $0 = nil }
        return isSaved
    }

    package func dryRun(_ plan: SavePlan) throws -> SaveResult {
        let (lastingPlan, volatilePlan) = plan.split(model)
        if let volatilePlan, case .stale(let rows) = try volatile.dryRun(volatilePlan) {
            return .stale(rows)
        }
        return try lastingPlan.map(lasting.dryRun) ?? .saved(OldPositions())
    }

    package func perform(
        _ batch: BatchWrite, token: SaveToken, options: SaveOptions,
        willWrite: (RemoteChanges) -> Void, willCommit: (ChangeSet) throws -> Void
    ) throws -> Int {
        let store = store(ofHierarchy: model.modelEntities[batch.objects.entity].hierarchy)
        defer { note(store) }
        return try store.perform(
            batch, token: token, options: options, willWrite: willWrite, willCommit: willCommit)
    }

    package func leaseKeys(hierarchy: Int, count: Int) throws -> Range<Int64> {
        let store = store(ofHierarchy: hierarchy)
        defer { note(store) }
        return try store.leaseKeys(hierarchy: hierarchy, count: count)
    }

    package func leaseIncarnation(hierarchy: Int, after last: Int64) throws -> Int64 {
        let store = store(ofHierarchy: hierarchy)
        defer { note(store) }
        return try store.leaseIncarnation(hierarchy: hierarchy, after: last)
    }

    package var writeStatistics: StoreStatistics { written.withLock { $0 } }

    // MARK: Remote saves

    package func watchRemoteSaves(_ notify: @escaping @Sendable () -> Void) {
        lasting.watchRemoteSaves(notify)
    }

    package func remoteChanges() throws -> RemoteChanges? { try lasting.remoteChanges() }

    package var openedPosition: StorePosition { lasting.openedPosition }

    /// Whether a save of an entity leaves a token. Positions cover only the lasting store.
    package func leavesToken(entity: Int) -> Bool { !model.isInMemory(entity) }

    // MARK: Maintenance

    package var readersInUse: Int { lasting.readersInUse }

    package var needsCheckpoint: Bool { lasting.needsCheckpoint }

    package func prepareCheckpoint() { lasting.prepareCheckpoint() }

    package func checkpoint() { lasting.checkpoint() }

    package func close() throws {
        try lasting.close()
        try volatile.close()
    }

    package func checkUsable() throws { try lasting.checkUsable() }

    package var statistics: StoreStatistics { lasting.statistics + volatile.statistics }

    package var path: String? { lasting.path }

    package func size() throws -> StoreSize { try lasting.size() }

    package func problems() throws -> [StoreProblem] {
        try lasting.problems() + volatile.problems()
    }

    package func backUp(
        to path: String, replacing: Bool, progress: (BackupProgress) throws -> Void
    ) throws {
        try lasting.backUp(to: path, replacing: replacing, progress: progress)
    }

    package func vacuum() throws { try lasting.vacuum() }
}

extension SavePlan {
    /// Returns the plans of the two stores; nil for a store that has nothing to write.
    fileprivate func split(
        _ model: ManagedObjectModel
    ) -> (lasting: SavePlan?, volatile: SavePlan?) {
        func part(_ isInMemory: Bool) -> SavePlan? {
            let part = ChangeSet(
                entities: changes.entities.filter { model.isInMemory($0.entity) == isInMemory },
                links: changes.links.filter { links in
                    model.isInMemory(model.joinTables[links.joinTable].first.entity) == isInMemory
                })
            return part.writesSomething ? SavePlan(changes: part, model: model) : nil
        }
        return (part(false), part(true))
    }
}
