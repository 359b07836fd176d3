public import FoundationEssentials
import Dispatch
import RecordStackPlatform
public import RecordStackModel
import Synchronization

/// Stands between contexts and their store: gives out keys, writes one save at a time, and tells
/// every context of what was committed.
///
/// A stack has one; programs meet it through ``ContextStack``.
public final class PersistentStoreCoordinator: Sendable {
    /// The entities that the store keeps.
    public let model: ManagedObjectModel
    let store: any PersistentStore
    let types: TypeTable
    let log: CommitLog
    /// How the contexts of its stack stand to each other.
    let architecture: StackArchitecture
    /// What contexts have changed for those that rest on them in other isolations. Set once, before the stack
    /// is handed out.
    private let publishedChanges = Mutex<PublishedChanges?>(nil)
    let stackStorage = StackStorage()
    let blocks = BlockThreads()
    let hooks = HookThreads()
    /// What is watched.
    let watching: Watching
    /// The threads that closing waits for, and that must not close therefore.
    let completionThreads = BlockThreads()
    /// Completions that were promised and not called yet.
    let completions = DispatchGroup()
    private let leases: [KeyLease]
    private let homes: [ManagedObjectID.Home]
    let queues = StoreQueues()
    let commits = Mutex(CommitState())
    let saves = SaveNumbers()
    private let closed = Atomic(false)
    let isInDoubt = Atomic(false)
    let remote = RemoteWatch()

    struct CommitState {
        var sequence = 0
        /// A save of which nobody knows whether it is in the store.
        var inDoubt: (token: SaveToken, capture: SaveCapture, written: WrittenChanges)?
    }

    /// How often a save is tried anew because another process got in between.
    private static let attempts = 16

    package init(
        store: any PersistentStore, model: ManagedObjectModel,
        architecture: StackArchitecture = .savingRoot, watching: WatchOptions = WatchOptions()
    ) throws {
        self.architecture = architecture
        self.watching = Watching(watching)
        self.store = store
        self.model = model
        log = CommitLog(at: store.openedPosition)
        types = try TypeTable(model: model)
        leases = model.hierarchies.map { _ in KeyLease() }
        homes = model.modelEntities.enumerated().map { index, entity in
            ManagedObjectID.Home(
                store: store.uuid(ofHierarchy: entity.hierarchy), entityName: entity.name,
                rootName: entity.description.root.name,
                index: index)
        }
        if self.watching.warns {
            for message in model.missingInverseMessages {
                self.watching.warn(.missingInverse, message)
            }
        }
    }

    /// The UUID of the store, which the IDs of its objects carry. IDs of objects that are kept in memory beside it
    /// carry another one, which is new each time.
    public var storeUUID: UUID { store.uuid }

    /// The UUID in the IDs of an entity's objects.
    package func storeUUID(of entity: Int) -> UUID { homes[entity].store }

    var isClosed: Bool { closed.load(ordering: .acquiring) }
}

// MARK: Writing

extension PersistentStoreCoordinator {
    /// Writes what was captured, and lets the caller's executor go on meanwhile.
    func commit(_ capture: SaveCapture) async throws -> SaveOutcome {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                commit(capture, cancellation) { continuation.resume(with: $0) }
            }
        } onCancel: {
            cancellation.set()
        }
    }

    /// Writes what was captured after the call has returned.
    func commit(
        _ capture: SaveCapture, _ cancellation: CancellationFlag? = nil,
        completion: @escaping @Sendable (Result<SaveOutcome, any Error>) -> Void
    ) {
        queues.writer.async { [self] in
            let result = Result { try write(capture, cancellation) }
            completion(result)
            renewLeases(after: capture)
            checkpointIfNeeded()
        }
    }

    /// Writes what was captured before it returns.
    func commitAndWait(
        _ capture: SaveCapture, _ cancellation: CancellationFlag? = nil
    ) throws -> SaveOutcome {
        try store.checkUsable()
        let outcome = try timingOnMain(capture) {
            try onWriterAndWait(
                "a save of “\(capture.ticket.asker?.path ?? "a context")” that waits"
            ) {
                try write(capture, cancellation)
            }
        }
        if !hierarchiesRunningLow(after: capture).isEmpty {
            queues.writer.async { [self] in renewLeases(after: capture) }
        }
        checkpointIfNeeded()
        return outcome
    }

    /// Returns when everything handed to the writer before is done, without blocking.
    func passWriter() async {
        await withCheckedContinuation { continuation in
            queues.writer.async { continuation.resume() }
        }
    }

    /// Runs a body in turn with the saves, while the caller goes on.
    func onWriter(_ body: @escaping @Sendable () -> Void) {
        queues.writer.async(execute: body)
    }

    /// Returns when the tidying after the last save is done.
    package func waitForCheckpoint() {
        queues.writer.sync {}
        queues.checkpointQueue.sync {}
        queues.writer.sync {}
    }

    /// The same without blocking.
    package func passCheckpoint() async {
        await passWriter()
        await withCheckedContinuation { [queues] done in
            queues.checkpointQueue.async { done.resume() }
        }
        await passWriter()
    }

    /// Returns when everything handed to the writer before is done.
    func waitForWriter() {
        onWriterAndWait("a save that waits for another one") {}
    }

    private func write(
        _ capture: SaveCapture, _ cancellation: CancellationFlag?
    ) throws -> SaveOutcome {
        defer { capture.ticket.finish() }
        return try doing("writing a save of “\(capture.ticket.asker?.path ?? "a context")”") {
            try writeInTurn(capture, cancellation)
        }
    }

    private func writeInTurn(
        _ capture: SaveCapture, _ cancellation: CancellationFlag?
    ) throws -> SaveOutcome {
        saves.isSaving.store(true, ordering: .relaxed)
        defer {
            saves.isSaving.store(false, ordering: .relaxed)
            saves.endSave()
        }
        try prepareToWrite(cancellation)
        var changes = try leavingOutReturned(capture.changes)
        for _ in 0..<Self.attempts {
            // Everything may have been deleted on both sides, or undone by a child.
            if !changes.writesSomething {
                deliver(capture.replacing(changes), as: .unnumbered)
                return .noChanges
            }
            changes = try withIncarnations(changes)
            let token = saves.nextToken()
            let result: SaveResult
            var isSaved = false
            defer {
                capture.ticket.asker?.counters.addSave(
                    store.writeStatistics, succeeded: isSaved)
            }
            do {
                result = try store.save(
                    SavePlan(changes: changes, model: model), token: token,
                    options: capture.options, willWrite: deliver)
            } catch let error as RecordStackError where error.code == .outcomeUnknown {
                remember(token, capture.replacing(changes))
                throw error
            }
            switch result {
            case .saved(let oldPositions):
                isSaved = true
                deliver(
                    capture.replacing(changes), as: mark(of: token, changes), after: oldPositions)
                return .saved(changes.summary)
            case .stale(let rows):
                var resolver = ConflictResolver(
                    coordinator: self, policy: capture.policy, deleting: [changes])
                changes = try resolver.resolve(changes, stale: rows)
            }
        }
        throw RecordStackError(
            .busy, "Other processes change the same objects all the time. Try again.")
    }

    /// What comes before everything that is written.
    func prepareToWrite(_ cancellation: CancellationFlag?) throws {
        try cancellation?.check()
        if isClosed { throw RecordStackError.closedStack }
        try resolveInDoubtIfNeeded()
    }

    /// The mark of a commit with a token.
    func mark(of token: SaveToken, _ changes: ChangeSet) -> CommittedChanges.Mark {
        let leavesToken =
            changes.entities.indices.contains {
                store.leavesToken(entity: changes.entities[$0].entity)
            }
            || changes.links.contains {
                store.leavesToken(entity: model.joinTables[$0.joinTable].first.entity)
            }
        return leavesToken ? .own(number: token.number) : .unnumbered
    }

    /// Tells all contexts what other stacks have saved.
    func deliver(_ remote: RemoteChanges) {
        deliver(SaveCapture(ofNobody: remote.changes), as: .remote(remote.position))
    }

    /// - Parameter oldPositions: the positions in orders before the save.
    func deliver(
        _ capture: SaveCapture, as mark: CommittedChanges.Mark,
        after oldPositions: OldPositions = OldPositions()
    ) {
        let sequence = commits.withLock { state in
            state.sequence += 1
            return state.sequence
        }
        let committed = CommittedChanges(
            sequence: sequence, capture: capture, mark: mark, oldPositions: oldPositions)
        if architecture.nestsSaveBlocks { shared?.discardSaved(committed) }
        log.append(committed)
        followRemoteSaves()
    }

    /// What the default context has changed, for the save blocks that rest on it.
    var shared: PublishedChanges? {
        get { publishedChanges.withLock { $0 } }
        set { publishedChanges.withLock { $0 = newValue } }
    }

    /// What may follow a save, when its caller has gone on.
    private func renewLeases(after capture: SaveCapture) {
        if isClosed { return }
        for hierarchy in hierarchiesRunningLow(after: capture) {
            // A lease that cannot be renewed now is renewed by the creation that needs it.
            try? renewLease(hierarchy)
        }
    }

    /// A read that has ended lets a save go first that is under way: there is one writer, and readers as many as there are
    /// threads, which otherwise take the processors from it. Beside one other reader only each second read does: else
    /// the two lose what the save wins; beside more the save has the smallest part of the processors, and each does. The
    /// main actor does not stand back.
    /// - Parameter reading: the number of the context's read.
    func giveWayToSave(after reading: Int) {
        guard saves.isSaving.load(ordering: .relaxed), !CurrentIsolation.isKnownToBeMain else {
            return
        }
        if reading & 1 == 0 || store.readersInUse != 1 { CurrentThread.yield() }
    }

    /// Saves go on while tidying is prepared, and wait for the rest.
    func checkpointIfNeeded() {
        guard store.needsCheckpoint,
            !queues.isCheckpointing.exchange(true, ordering: .acquiringAndReleasing)
        else {
            return
        }
        queues.checkpointQueue.async { [self] in
            if !isClosed { store.prepareCheckpoint() }
            queues.writer.async { [self] in
                if !isClosed { doing("writing the log back") { store.checkpoint() } }
                queues.isCheckpointing.store(false, ordering: .releasing)
            }
        }
    }

    private func hierarchiesRunningLow(after capture: SaveCapture) -> [Int] {
        let entities = capture.changes.entities
        return entities.indices.compactMap { index in
            if entities[index].insertedKeys.isEmpty { return nil }
            let hierarchy = model.modelEntities[entities[index].entity].hierarchy
            return leases[hierarchy].runsLow ? hierarchy : nil
        }
    }
}

// MARK: Keys and identities

extension PersistentStoreCoordinator {
    /// Keys for new objects. Reading the lease costs a lock; a new one, a small transaction.
    func takeKeys(hierarchy: Int, count: Int) throws -> Range<Int64> {
        if let keys = leases[hierarchy].take(count) { return keys }
        try store.checkUsable()
        return try onWriterAndWait("creating an object, for which keys are leased,") {
            while true {
                if let keys = leases[hierarchy].take(count) { return keys }
                try renewLease(hierarchy)
            }
        }
    }

    private func renewLease(_ hierarchy: Int) throws {
        if isClosed { throw RecordStackError.closedStack }
        let lease = leases[hierarchy]
        lease.refill(
            try doing("leasing keys") {
                try store.leaseKeys(hierarchy: hierarchy, count: lease.nextSize)
            })
    }

    func objectID(entity: Int, key: Int64) -> ManagedObjectID {
        ManagedObjectID(home: homes[entity], key: key)
    }

    func objectID(of object: ManagedObject) -> ManagedObjectID {
        objectID(entity: types.requireIndex(of: type(of: object)), key: object.keyValue)
    }

    /// The entity of an ID of this store; nil for any other.
    func entity(of id: ManagedObjectID) -> Int? {
        let index = id.home.index
        if homes.indices.contains(index) && homes[index] === id.home { return index }
        guard let entity = model.index(ofEntityNamed: id.entityName),
            homes[entity].store == id.storeUUID, homes[entity].rootName == id.home.rootName
        else { return nil }
        return entity
    }

    func requireEntity(of id: ManagedObjectID) throws -> Int {
        if let entity = entity(of: id) { return entity }
        throw RecordStackError(
            .misuse,
            homes.contains { $0.store == id.storeUUID }
                ? "This stack's model has no entity \(id.entityName)."
                : "The ID \(id) is of an object in another store, not in \(store.uuid).",
            objectID: id)
    }

    /// The entity whose table an entity shares: a row is looked for there whatever it is of.
    func rootEntity(of entity: Int) -> Int {
        model.hierarchies[model.modelEntities[entity].hierarchy].root
    }

    /// Waits for what is being written, and closes the store.
    package func close() throws {
        try store.checkUsable()
        try onWriterAndWait("close()") {
            if closed.exchange(true, ordering: .acquiringAndReleasing) { return }
            try doing("closing the store") { try store.close() }
        }
    }
}
