public import FoundationEssentials
import Dispatch
import RecordStackPlatform
public import RecordStackModel
import Synchronization

/// The object between the contexts and the store.
///
/// The coordinator assigns the keys of new objects, writes one save at a time, and reports every
/// commit to every context. A stack has one coordinator, and programs use it through
/// ``ContextStack``.
public final class PersistentStoreCoordinator: Sendable {
    /// The entities that the store keeps.
    public let model: ManagedObjectModel
    let store: any PersistentStore
    let types: TypeTable
    let log: CommitLog
    /// The context hierarchy of the stack.
    let architecture: StackArchitecture
    /// The published changes of the default context; set once, before the program gets the stack.
    private let publishedChanges = Mutex<PublishedChanges?>(nil)
    let stackStorage = StackStorage()
    let blocks = BlockThreads()
    let hooks = HookThreads()
    /// The checks and warnings of the stack.
    let watching: Watching
    /// The threads that run completions. Closing waits for them, so they must not close the stack.
    let completionThreads = BlockThreads()
    /// Completions that are due and have not been called yet.
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
        /// A save whose outcome is unknown; nil if there is none.
        var inDoubt: (token: SaveToken, capture: SaveCapture, written: WrittenChanges)?
    }

    /// The most attempts of a save whose rows other processes change in between.
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

    /// The UUID of the store, which the IDs of its objects contain.
    ///
    /// If the stack keeps some entities in memory, the IDs of their objects contain another UUID.
    /// That UUID is new for each stack.
    public var storeUUID: UUID { store.uuid }

    /// Returns the UUID that the IDs of an entity's objects contain.
    package func storeUUID(of entity: Int) -> UUID { homes[entity].store }

    var isClosed: Bool { closed.load(ordering: .acquiring) }
}

// MARK: Writing

extension PersistentStoreCoordinator {
    /// Writes a captured save, while the caller's executor does other work.
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

    /// Writes a captured save after the call has returned.
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

    /// Writes a captured save before the call returns.
    func commitAndWait(
        _ capture: SaveCapture, _ cancellation: CancellationFlag? = nil
    ) throws -> SaveOutcome {
        try store.checkUsable()
        let outcome = try timingOnMain(capture) {
            try onWriterAndWait("a save of “\(capture.ticket.asker?.path ?? "a context")”") {
                try write(capture, cancellation)
            }
        }
        if !hierarchiesRunningLow(after: capture).isEmpty {
            queues.writer.async { [self] in renewLeases(after: capture) }
        }
        checkpointIfNeeded()
        return outcome
    }

    /// Waits until the writer has finished its earlier work, without blocking a thread.
    func passWriter() async {
        await withCheckedContinuation { continuation in
            queues.writer.async { continuation.resume() }
        }
    }

    /// Runs a body between two saves, while the caller continues.
    func onWriter(_ body: @escaping @Sendable () -> Void) {
        queues.writer.async(execute: body)
    }

    /// Waits until the checkpoint after the last save is done.
    package func waitForCheckpoint() {
        queues.writer.sync {}
        queues.checkpointQueue.sync {}
        queues.writer.sync {}
    }

    /// Waits until the checkpoint after the last save is done, without blocking a thread.
    package func passCheckpoint() async {
        await passWriter()
        await withCheckedContinuation { [queues] done in
            queues.checkpointQueue.async { done.resume() }
        }
        await passWriter()
    }

    /// Waits until the writer has finished its earlier work.
    func waitForWriter() {
        onWriterAndWait("a save that follows another save") {}
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
            // Both sides may have deleted everything, or a child may have undone everything.
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

    /// Checks whether a write may begin, and resolves an in-doubt save first.
    func prepareToWrite(_ cancellation: CancellationFlag?) throws {
        try cancellation?.check()
        if isClosed { throw RecordStackError.closedStack }
        try resolveInDoubtIfNeeded()
    }

    /// Returns the mark of a commit with a token.
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

    /// Delivers saves of other stacks to all contexts.
    func deliver(_ remote: RemoteChanges) {
        deliver(SaveCapture(ofNobody: remote.changes), as: .remote(remote.position))
    }

    /// Delivers a commit to all contexts.
    ///
    /// - Parameter oldPositions: the positions in ordered relationships before the save.
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

    /// The published changes of the default context, for the save blocks that are based on it.
    var shared: PublishedChanges? {
        get { publishedChanges.withLock { $0 } }
        set { publishedChanges.withLock { $0 = newValue } }
    }

    /// Renews the leases that run low, after the save's caller has gone on.
    private func renewLeases(after capture: SaveCapture) {
        if isClosed { return }
        for hierarchy in hierarchiesRunningLow(after: capture) {
            // If a lease cannot be renewed now, the creation that needs it renews it.
            try? renewLease(hierarchy)
        }
    }

    /// Yields the thread after a read, so that a running save comes first.
    ///
    /// There is one writer, but there are as many readers as threads, and they would take the
    /// processors from the writer. With exactly one other reader, only every second read yields:
    /// otherwise the two readers lose what the save gains. With more readers, every read yields,
    /// because the save has the smallest share of the processors then. The main actor never yields.
    ///
    /// - Parameter reading: the number of the context's read.
    func giveWayToSave(after reading: Int) {
        guard saves.isSaving.load(ordering: .relaxed), !CurrentIsolation.isKnownToBeMain else {
            return
        }
        if reading & 1 == 0 || store.readersInUse != 1 { CurrentThread.yield() }
    }

    /// Makes a checkpoint if necessary.
    ///
    /// Saves go on while the checkpoint is prepared, and wait for the rest of it.
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
    /// Returns keys for new objects.
    ///
    /// Keys from the lease cost a lock; a new lease costs a small transaction.
    func takeKeys(hierarchy: Int, count: Int) throws -> Range<Int64> {
        if let keys = leases[hierarchy].take(count) { return keys }
        try store.checkUsable()
        return try onWriterAndWait("the creation of an object, which leases keys,") {
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

    /// Returns the entity of an ID of this store; nil for any other ID.
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

    /// Returns the entity whose table an entity shares, which has the rows of the whole hierarchy.
    func rootEntity(of entity: Int) -> Int {
        model.hierarchies[model.modelEntities[entity].hierarchy].root
    }

    /// Closes the store after the writes that are under way.
    package func close() throws {
        try store.checkUsable()
        try onWriterAndWait("close()") {
            if closed.exchange(true, ordering: .acquiringAndReleasing) { return }
            try doing("closing the store") { try store.close() }
        }
    }
}
