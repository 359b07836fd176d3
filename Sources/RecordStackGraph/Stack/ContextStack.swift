import Dispatch
public import RecordStackModel
import Synchronization

/// Everything that a program needs of a store: its contexts, and the way changes take.
///
/// ```swift
/// let stack = try ContextStack(for: Person.self, Team.self, at: .file("people.sqlite"))
/// try await stack.saveWithBlock { context in
///     try Person.create(in: context, email: "ann@example.org").name = "Ann"
/// }
/// let people = try Person.find(in: stack.defaultContext)
/// ```
///
/// A program may have any number of stacks. Those on one file follow each other's saves, as they follow those
/// of other processes: ``RecordStackModel/StoreOptions/remoteSaveInterval``. A stack is Sendable,
/// its contexts are not: ``defaultContext`` belongs to the main actor,
/// ``newContext(ownedBy:name:follows:)`` makes one for another actor or a task, and save blocks and
/// ``read(_:)`` lend one for as long as they run.
public final class ContextStack: Sendable {
    /// What stands between the contexts and the store.
    public let coordinator: PersistentStoreCoordinator
    /// The context that the store's changes pass through. Each block that it performs gets a child
    /// of root, because root keeps no objects. Under an architecture without a root, it gets one of the coordinator.
    public let rootSavingContext: PrivateQueueContext

    // Made here and handed out to the main actor alone.
    nonisolated(unsafe) private let mainContext: ManagedObjectContext
    let saveQueue: SerialQueue
    let waits: WaitGraph
    private let privateContexts = Mutex<[WeakPrivateContext]>([])

    /// A stack on a coordinator that was made before.
    ///
    /// ```swift
    /// let coordinator = try PersistentStoreCoordinator(model: model, at: .file("shop.sqlite"))
    /// let stack = try ContextStack(coordinator: coordinator)
    /// ```
    ///
    /// Several stacks may share one, each with a default context and save blocks of its own; they hear of each
    /// other's saves as their contexts do. Closing one of them closes the store for all.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` where another stack has the coordinator and save blocks rest on
    ///   that one's default context (``StackArchitecture/nested``, ``StackArchitecture/parentChild``).
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

    /// How its contexts stand to each other.
    public var architecture: StackArchitecture { coordinator.architecture }

    /// The entities of the stack.
    public var model: ManagedObjectModel { coordinator.model }

    /// The context of the main actor, a child of root. It follows every save.
    @MainActor public var defaultContext: ManagedObjectContext {
        coordinator.followRemoteSaves()
        return mainContext
    }

    /// Lets the save block that comes next see what the default context has changed until now, where the caller is on
    /// its side. Others' blocks see what it had changed at the end of the main actor's last turn.
    /// - Returns: whether the caller is.
    @discardableResult
    func publishDefaultContext(isolation: (any Actor)? = nil) -> Bool {
        guard architecture.nestsSaveBlocks else { return true }
        guard isolation === MainActor.shared || CurrentIsolation.isKnownToBeMain else {
            return false
        }
        mainContext.publisher.publishChanges()
        return true
    }

    /// A long-lived child of root for whoever calls: an actor keeps it among its properties, a task
    /// in a variable.
    ///
    /// With an owner the context takes in what others save by itself; without, and where it does not follow,
    /// when it is next used. The owner is the actor that keeps the context and nobody else: an actor that is
    /// not would use it at the same time as whoever does.
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
    ///   - owner: the actor that keeps the context.
    ///   - name: what messages call the context.
    ///   - follows: whether it takes in what others save between two uses, in its owner's isolation.
    public func newContext(
        ownedBy owner: (any Actor)? = nil, name: String = "context", follows: Bool = true
    ) -> sending ManagedObjectContext {
        if owner != nil && follows { coordinator.followRemoteSaves() }
        return ManagedObjectContext(
            coordinator: coordinator, name: name, owner: owner, followsUnasked: follows)
    }

    /// A long-lived child of root on a queue of its own.
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

    /// Waits for everything that was begun, completions included, and closes the store. What is
    /// not saved is lost. Whatever is called later throws ``RecordStackError/Code/closed``.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` from inside a block or a completion of this stack,
    ///   which would wait for itself.
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
