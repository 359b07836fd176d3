import Dispatch
public import RecordStackModel
import Synchronization

/// A store with its coordinator and its contexts.
///
/// ```swift
/// let stack = try ContextStack(for: Person.self, Team.self, at: .file("people.sqlite"))
/// try await stack.saveWithBlock { context in
///     try Person.create(in: context, email: "ann@example.org").name = "Ann"
/// }
/// let people = try Person.find(in: stack.defaultContext)
/// ```
///
/// A program may have any number of stacks. Stacks on one file merge each other's saves, even
/// across processes: see ``StoreOptions/remoteSaveInterval``.
///
/// A stack is Sendable; its contexts are not. ``defaultContext`` belongs to the main actor.
/// ``newContext(ownedBy:name:follows:)`` creates a context for another actor or for a task.
/// ``saveWithBlock(_:)`` and ``read(_:)`` lend a context to a block until the block returns.
public final class ContextStack: Sendable {
    /// The object between the contexts and the store.
    public let coordinator: PersistentStoreCoordinator
    /// The root context, through which all changes reach the store.
    ///
    /// Root keeps no objects, so each block that it performs gets a new child of root. Under an
    /// architecture without a root, the block gets a child of the coordinator.
    public let rootSavingContext: PrivateQueueContext

    // `nonisolated(unsafe)`: created in the initializer and handed out to the main actor only.
    nonisolated(unsafe) private let mainContext: ManagedObjectContext
    let saveQueue: SerialQueue
    let waits: WaitGraph
    private let privateContexts = Mutex<[WeakPrivateContext]>([])

    /// Creates a stack on an existing coordinator.
    ///
    /// ```swift
    /// let coordinator = try PersistentStoreCoordinator(model: model, at: .file("shop.sqlite"))
    /// let stack = try ContextStack(coordinator: coordinator)
    /// ```
    ///
    /// Several stacks may share a coordinator. Each of these stacks has its own default context and
    /// save blocks, and merges the saves of the other stacks. Closing one of the stacks closes the
    /// store for all of them.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the coordinator has another stack and its
    ///   architecture is ``StackArchitecture/nested`` or ``StackArchitecture/parentChild``. Under
    ///   these architectures, save blocks work on one stack's default context.
    public init(coordinator: PersistentStoreCoordinator) throws {
        let architecture = coordinator.architecture
        if coordinator.shared != nil {
            throw RecordStackError(
                .misuse,
                "Another stack has this coordinator, and its save blocks rest on its default context. Make the "
                    + "coordinator with .savingRoot or .siblings, or a second one for this stack.")
        }
        self.coordinator = coordinator
        mainContext = ManagedObjectContext(
            coordinator: coordinator, name: "default", owner: MainActor.shared)
        if architecture.nestsSaveBlocks {
            let shared = PublishedChanges(of: mainContext)
            mainContext.tree.published = shared
            coordinator.shared = shared
        }
        waits = WaitGraph(watchdog: coordinator.watching.watchdog)
        if coordinator.watching.warnsAtExit, let path = coordinator.store.path {
            UnsavedChanges.watch(mainContext, path: path)
        }
        saveQueue = SerialQueue(name: "save queue", waits: waits, call: "saveWithBlockAndWait")
        rootSavingContext = PrivateQueueContext(
            room: SerialQueue(name: architecture.baseName, waits: waits), of: coordinator,
            lendsChildren: true
        ) {
            ManagedObjectContext(
                coordinator: coordinator, name: "child of \(architecture.baseName)", lentBy: .queue)
        }
    }

    package convenience init(
        store: any PersistentStore, model: ManagedObjectModel,
        architecture: StackArchitecture = .savingRoot, watching: WatchOptions = WatchOptions()
    ) throws {
        try self.init(
            coordinator: PersistentStoreCoordinator(
                store: store, model: model, architecture: architecture, watching: watching))
    }

    /// The hierarchy of the stack's contexts.
    public var architecture: StackArchitecture { coordinator.architecture }

    /// The entities of the stack.
    public var model: ManagedObjectModel { coordinator.model }

    /// The context of the main actor: a child of root that merges every save automatically.
    @MainActor public var defaultContext: ManagedObjectContext {
        coordinator.followRemoteSaves()
        return mainContext
    }

    /// Publishes the default context's changes to the next save block, on the main actor only.
    ///
    /// The save blocks of callers in other isolations see the changes as of the end of the main
    /// actor's last turn.
    ///
    /// - Returns: False if save blocks are based on the default context and the caller is not on
    ///   the main actor.
    @discardableResult
    func publishDefaultContext(isolation: (any Actor)? = nil) -> Bool {
        guard architecture.nestsSaveBlocks else { return true }
        guard isolation === MainActor.shared || CurrentIsolation.isKnownToBeMain else {
            return false
        }
        mainContext.publisher.publishChanges()
        return true
    }

    /// Creates a long-lived child of root, which an actor or a task can keep.
    ///
    /// If you pass an owner, the context merges the saves of other contexts automatically. Without
    /// an owner, or if `follows` is false, it merges them at its next operation. As the owner, pass
    /// only the actor that keeps the context. If you pass another actor, it may merge saves while
    /// the context is in use elsewhere.
    ///
    /// ```swift
    /// actor Reader {
    ///     let stack: ContextStack
    ///     lazy var context = stack.newContext(ownedBy: self)
    ///     …
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The actor that keeps the context.
    ///   - name: The context's name in messages.
    ///   - follows: True to merge saves between two operations, in the owner's isolation.
    public func newContext(
        ownedBy owner: (any Actor)? = nil, name: String = "context", follows: Bool = true
    ) -> sending ManagedObjectContext {
        if owner != nil && follows { coordinator.followRemoteSaves() }
        return ManagedObjectContext(
            coordinator: coordinator, name: name, owner: owner, followsUnasked: follows)
    }

    /// Creates a long-lived child of root on its own queue.
    public func newPrivateQueueContext(name: String = "private queue") -> PrivateQueueContext {
        let coordinator = coordinator
        let context = PrivateQueueContext(
            room: SerialQueue(name: name, waits: waits), of: coordinator, lendsChildren: false
        ) { ManagedObjectContext(coordinator: coordinator, name: name, lentBy: .queue) }
        privateContexts.withLock { list in
            list.removeAll { $0.context == nil }
            list.append(WeakPrivateContext(context: context))
        }
        return context
    }

    /// Waits for all running work, including completions, and closes the store.
    ///
    /// Unsaved changes are lost. Later calls throw ``RecordStackError/Code/closed``.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` inside a block or a completion of this stack,
    ///   because the call would wait for itself.
    public func close() throws {
        if coordinator.blocks.isInside || coordinator.completionThreads.isInside {
            throw RecordStackError.waitsForItself("close()")
        }
        try coordinator.hooks.refuse("close()")
        try coordinator.store.checkUsable()
        try saveQueue.drain()
        try rootSavingContext.drain()
        for entry in privateContexts.withLock({ $0 }) { try entry.context?.drain() }
        coordinator.waiting("close()", for: "blocks of stack.read") {
            coordinator.queues.readers.sync(flags: .barrier) {}
        }
        coordinator.waiting("close()", for: "completions of saves") {
            coordinator.completions.wait()
        }
        try coordinator.close()
    }
}

private struct WeakPrivateContext: Sendable {
    weak let context: PrivateQueueContext?
}

extension RecordStackError {
    static func waitsForItself(_ call: String) -> RecordStackError {
        RecordStackError(
            .misuse,
            "\(call) was called inside a block or a completion of the stack, for which it would wait. "
                + "Call it when the block has returned.")
    }

    static func insideBlock(_ call: String) -> RecordStackError {
        RecordStackError(
            .misuse,
            "\(call) was called inside a save block. Use the block's own context: what it changes "
                + "is saved when the block returns, and context.saveAndWait() saves it at once.")
    }
}
