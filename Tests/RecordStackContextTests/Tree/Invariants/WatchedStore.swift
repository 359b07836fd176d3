import FoundationEssentials
import RecordStackModel
import Synchronization

/// A store that calls a test at two moments that no statement marks, and goes on when the test
/// returns.
final class WatchedStore: PersistentStore {
    private let base: any PersistentStore
    private let state = Mutex(Watchers())

    struct Watchers {
        /// Called when a save is in the store and no context has merged it.
        var saved: (@Sendable () -> Void)?
        /// Called when a reader has begun and its context has not merged the saves that it sees.
        var begun: (@Sendable () -> Void)?
    }

    init(_ base: any PersistentStore) { self.base = base }

    /// Sets the closures for the next such moments. Each is called once.
    func watch(_ watchers: Watchers) { state.withLock { $0 = watchers } }

    private func tellSaved() { state.withLock { $0.saved.take() }?() }

    fileprivate func tellBegun() { state.withLock { $0.begun.take() }?() }

    func reader(inBurst: Bool) throws -> any StoreReader {
        WatchedReader(try base.reader(inBurst: inBurst), of: self)
    }

    func save(
        _ plan: SavePlan, token: SaveToken, options: SaveOptions,
        willWrite: (RemoteChanges) -> Void
    ) throws -> SaveResult {
        let result = try base.save(plan, token: token, options: options, willWrite: willWrite)
        tellSaved()
        return result
    }

    // MARK: Forwarded to the base store

    var uuid: UUID { base.uuid }
    var readersInUse: Int { base.readersInUse }
    var openedPosition: StorePosition { base.openedPosition }
    var writeStatistics: StoreStatistics { base.writeStatistics }
    var needsCheckpoint: Bool { base.needsCheckpoint }
    var statistics: StoreStatistics { base.statistics }
    var path: String? { base.path }

    func uuid(ofHierarchy hierarchy: Int) -> UUID { base.uuid(ofHierarchy: hierarchy) }
    func endBursts() { base.endBursts() }
    func leavesToken(entity: Int) -> Bool { base.leavesToken(entity: entity) }
    func dryRun(_ plan: SavePlan) throws -> SaveResult { try base.dryRun(plan) }

    func perform(
        _ batch: BatchWrite, token: SaveToken, options: SaveOptions,
        willWrite: (RemoteChanges) -> Void, willCommit: (ChangeSet) throws -> Void
    ) throws -> Int {
        try base.perform(
            batch, token: token, options: options, willWrite: willWrite, willCommit: willCommit)
    }

    func leaseKeys(hierarchy: Int, count: Int) throws -> Range<Int64> {
        try base.leaseKeys(hierarchy: hierarchy, count: count)
    }

    func leaseIncarnation(hierarchy: Int, after last: Int64) throws -> Int64 {
        try base.leaseIncarnation(hierarchy: hierarchy, after: last)
    }

    func resolveInDoubt(_ token: SaveToken) throws -> Bool {
        try base.resolveInDoubt(token)
    }

    func watchRemoteSaves(_ notify: @escaping @Sendable () -> Void) {
        base.watchRemoteSaves(notify)
    }

    func remoteChanges() throws -> RemoteChanges? { try base.remoteChanges() }
    func prepareCheckpoint() { base.prepareCheckpoint() }
    func checkpoint() { base.checkpoint() }
    func close() throws { try base.close() }
    func checkUsable() throws { try base.checkUsable() }
    func size() throws -> StoreSize { try base.size() }
    func problems() throws -> [StoreProblem] { try base.problems() }
    func vacuum() throws { try base.vacuum() }

    func backUp(
        to path: String, replacing: Bool, progress: (BackupProgress) throws -> Void
    ) throws {
        try base.backUp(to: path, replacing: replacing, progress: progress)
    }
}

private final class WatchedReader: StoreReader {
    private let base: any StoreReader
    private let store: WatchedStore

    init(_ base: any StoreReader, of store: WatchedStore) {
        (self.base, self.store) = (base, store)
    }

    func position() throws -> StorePosition {
        let position = try base.position()
        store.tellBegun()
        return position
    }

    // MARK: Forwarded to the base reader

    var statistics: StoreStatistics { base.statistics }
    var snapshotNumber: SnapshotNumber? { base.snapshotNumber }

    func beginTransaction() throws { try base.beginTransaction() }

    func remoteChanges(since known: StorePosition, author: UInt64) throws -> ChangeSet? {
        try base.remoteChanges(since: known, author: author)
    }

    func rows(_ request: StoreRequest, into sink: any RowSink) throws {
        try base.rows(request, into: sink)
    }

    func keys(_ request: StoreRequest, into sink: any RowSink) throws {
        try base.keys(request, into: sink)
    }

    func first(entity: Int, slot: Int, value: StoredValue, into sink: any RowSink) throws {
        try base.first(entity: entity, slot: slot, value: value, into: sink)
    }

    func members(_ request: MemberRequest, into sink: any MemberSink) throws {
        try base.members(request, into: sink)
    }

    func memberCount(_ request: MemberRequest) throws -> Int { try base.memberCount(request) }

    func hasLink(_ joinRow: JoinRow, in joinTable: Int) throws -> Bool {
        try base.hasLink(joinRow, in: joinTable)
    }

    func count(_ request: StoreRequest) throws -> Int { try base.count(request) }
    func exists(_ request: StoreRequest) throws -> Bool { try base.exists(request) }

    func values(_ request: ValueRequest, into take: ([StoredValue]) throws -> Void) throws {
        try base.values(request, into: take)
    }

    func explanation(of request: StoreRequest) throws -> RequestExplanation {
        try base.explanation(of: request)
    }

    func explanation(ofCounting request: StoreRequest) throws -> RequestExplanation {
        try base.explanation(ofCounting: request)
    }

    func explanation(of request: ValueRequest) throws -> RequestExplanation {
        try base.explanation(of: request)
    }

    func end() { base.end() }
}
