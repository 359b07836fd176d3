import Dispatch
public import RecordStackModel

extension ContextStack {
    /// Runs a block with a new context, and saves the changes that the block makes.
    ///
    /// ```swift
    /// let id = try await stack.saveWithBlock { context in
    ///     try Person.create(in: context, email: "ann@example.org").objectID
    /// }
    /// ```
    ///
    /// The save blocks of a stack run one at a time, in order, off the main actor. If a block
    /// throws, nothing is saved. When the call returns, the changes are in the store. If you make
    /// the call on the main actor, the default context has merged the changes by then. Otherwise,
    /// the default context shows them at its next operation.
    ///
    /// - Parameter block: A closure that makes the changes. It runs on another thread, so it must
    ///   not be a function or closure that belongs to an actor. The compiler does not detect every
    ///   such case.
    /// - Returns: The result of the block.
    /// - Throws: The errors of the block and of the save. Throws ``RecordStackError/Code/misuse``
    ///   inside another save block, and `CancellationError` if the task is cancelled before
    ///   anything is written.
    @discardableResult
    public func saveWithBlock<Value: Sendable>(
        _ block: sending @escaping (ManagedObjectContext) throws -> Value
    ) async throws -> Value {
        try await saveWithBlock([], isolation: #isolation, block)
    }

    /// Runs a block as ``saveWithBlock(_:)`` does, and saves with options.
    ///
    /// ```swift
    /// try await stack.saveWithBlock(.durable) { context in … }
    /// ```
    ///
    /// - Parameters:
    ///   - options: Additional guarantees of the save.
    ///   - block: A closure that makes the changes.
    @discardableResult
    public func saveWithBlock<Value: Sendable>(
        _ options: SaveOptions,
        _ block: sending @escaping (ManagedObjectContext) throws -> Value
    ) async throws -> Value {
        try await saveWithBlock(options, isolation: #isolation, block)
    }

    // Not public: a visible isolated parameter makes the compiler assume that the block stays in
    // the caller's isolation. It would then let the block capture the caller's objects.
    private func saveWithBlock<Value: Sendable>(
        _ options: SaveOptions, isolation: isolated (any Actor)?,
        _ block: sending @escaping (ManagedObjectContext) throws -> Value
    ) async throws -> Value {
        if coordinator.blocks.isInside { throw RecordStackError.insideBlock("saveWithBlock") }
        try coordinator.hooks.refuse("saveWithBlock")
        try coordinator.store.checkUsable()
        if !publishDefaultContext(isolation: isolation) {
            await coordinator.shared?.publishWhatIsBehind()
        }
        let transfer = Transfer(value: block)
        let cancellation = CancellationFlag()
        let value = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                saveQueue.run { [self] in
                    continuation.resume(
                        with: Result { try runSaving(options, transfer.value, cancellation) })
                }
            }
        } onCancel: {
            cancellation.set()
        }
        await coordinator.mergeOnReturnToMain()
        return value
    }

    /// Runs a block as ``saveWithBlock(_:)`` does, and blocks until the save is complete.
    ///
    /// - Throws: The errors of ``saveWithBlock(_:)``.
    @available(*, noasync, message: "Use saveWithBlock, which does not block the thread.")
    @discardableResult
    public func saveWithBlockAndWait<Value: Sendable>(
        _ block: sending (ManagedObjectContext) throws -> Value
    ) throws -> Value {
        try saveWithBlockAndWait([], block)
    }

    /// Runs a block as ``saveWithBlock(_:_:)`` does, and blocks until the save is complete.
    ///
    /// - Throws: The errors of ``saveWithBlock(_:)``.
    @available(*, noasync, message: "Use saveWithBlock, which does not block the thread.")
    @discardableResult
    public func saveWithBlockAndWait<Value: Sendable>(
        _ options: SaveOptions, _ block: sending (ManagedObjectContext) throws -> Value
    ) throws -> Value {
        if coordinator.blocks.isInside {
            throw RecordStackError.insideBlock("saveWithBlockAndWait")
        }
        try coordinator.hooks.refuse("saveWithBlockAndWait")
        try coordinator.store.checkUsable()
        publishDefaultContext()
        let value = try saveQueue.runAndWait { try runSaving(options, block, nil) }
        coordinator.mergeOnReturnToMainAndWait()
        return value
    }

    /// Runs a block as ``saveWithBlock(_:)`` does, without waiting for it.
    ///
    /// - Parameters:
    ///   - block: A closure that makes the changes.
    ///   - completion: A closure that is called exactly once, when the changes are in the store or
    ///     the call has failed. It runs on one of the stack's queues, never on the main queue.
    public func saveWithBlock<Value: Sendable>(
        _ block: sending @escaping (ManagedObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        saveWithBlock([], block, completion: completion)
    }

    /// Runs a block as ``saveWithBlock(_:_:)`` does, without waiting for it.
    ///
    /// - Parameters:
    ///   - options: Additional guarantees of the save.
    ///   - block: A closure that makes the changes.
    ///   - completion: A closure that is called as in ``saveWithBlock(_:completion:)``.
    public func saveWithBlock<Value: Sendable>(
        _ options: SaveOptions,
        _ block: sending @escaping (ManagedObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let isInside = coordinator.blocks.isInside
        let permission = Result { try coordinator.hooks.refuse("saveWithBlock") }
        coordinator.completions.enter()
        publishDefaultContext()
        let transfer = Transfer(value: block)
        saveQueue.run { [self] in
            let result = Result {
                if isInside { throw RecordStackError.insideBlock("saveWithBlock") }
                try permission.get()
                return try runSaving(options, transfer.value, nil)
            }
            coordinator.complete { completion(result) }
        }
    }

    func runSaving<Value>(
        _ options: SaveOptions, _ block: (ManagedObjectContext) throws -> Value,
        _ cancellation: CancellationFlag?, as operation: RecordStackError.Operation = .block
    ) throws -> Value {
        let context = makeBlockContext()
        context.usage.cancellation = cancellation
        return try context.lent {
            try cancellation?.check()
            try context.takePublishedChanges()
            let value = try coordinator.blocks.running {
                try context.inBursts { try block(context) }
            }
            _ = try RecordStackError.wording(for: operation) {
                try context.saveNow(options, isLast: true, cancellation)
            }
            return value
        }
    }
}

extension ContextStack {
    /// Creates the context of one save block, below root or below a parent snapshot.
    private func makeBlockContext() -> ManagedObjectContext {
        guard let shared = coordinator.shared else {
            return ManagedObjectContext(
                coordinator: coordinator, name: "save block", lentBy: .block)
        }
        let parent = ManagedObjectContext(
            coordinator: coordinator, name: shared.monitor.name, lentBy: .block,
            standingFor: shared)
        return ManagedObjectContext(coordinator: coordinator, parent: parent, name: "save block")
    }
}

extension PersistentStoreCoordinator {
    /// Calls a completion that has entered ``completions``, on a queue where it may save or block.
    func complete(_ completion: @escaping @Sendable () -> Void) {
        // Each completion has its own queue. The global queue has few threads, and tasks need them.
        DispatchQueue(label: "RecordStack.completion").async { [completions, completionThreads] in
            completionThreads.running(completion)
            completions.leave()
        }
    }
}
