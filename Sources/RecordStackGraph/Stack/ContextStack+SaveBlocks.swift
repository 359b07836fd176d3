import Dispatch
public import RecordStackModel

extension ContextStack {
    /// Runs a block with a context of its own, and saves what it changed.
    ///
    /// ```swift
    /// let id = try await stack.saveWithBlock { context in
    ///     try Person.create(in: context, email: "ann@example.org").objectID
    /// }
    /// ```
    ///
    /// Blocks of a stack run one at a time, in order, off the main actor. A block that throws saves
    /// nothing. When the save returns, the changes are in the store; awaited or waited for by
    /// main-actor code, the default context has merged them, and elsewhere it shows them at its next
    /// operation.
    ///
    /// - Parameter block: what to do. It runs elsewhere: it must be no function or closure that
    ///   belongs to an actor, which the compiler does not find out in every case.
    /// - Returns: what the block returns.
    /// - Throws: what the block throws; ``RecordStackError/Code/misuse`` inside another save block;
    ///   what saving throws; and `CancellationError` where the task was cancelled before anything
    ///   was written.
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
    ///   - options: what the save promises beyond the usual.
    ///   - block: what to do.
    @discardableResult
    public func saveWithBlock<Value: Sendable>(
        _ options: SaveOptions,
        _ block: sending @escaping (ManagedObjectContext) throws -> Value
    ) async throws -> Value {
        try await saveWithBlock(options, isolation: #isolation, block)
    }

    // Not public: with an isolated parameter in sight, the compiler takes the block for one that
    // stays in the caller's isolation, and lets the caller's objects into it.
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

    /// Runs a block as ``saveWithBlock(_:)`` does, and waits for it.
    ///
    /// - Throws: what ``saveWithBlock(_:)`` throws.
    @available(*, noasync, message: "Use saveWithBlock, which does not block the thread.")
    @discardableResult
    public func saveWithBlockAndWait<Value: Sendable>(
        _ block: sending (ManagedObjectContext) throws -> Value
    ) throws -> Value {
        try saveWithBlockAndWait([], block)
    }

    /// Runs a block as ``saveWithBlock(_:_:)`` does, and waits for it.
    ///
    /// - Throws: what ``saveWithBlock(_:)`` throws.
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

    /// Runs a block as ``saveWithBlock(_:)`` does, while the caller goes on.
    ///
    /// - Parameter completion: called once, when the changes are in the store or nothing was saved,
    ///   on a queue of the stack's own, never on the main queue.
    public func saveWithBlock<Value: Sendable>(
        _ block: sending @escaping (ManagedObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        saveWithBlock([], block, completion: completion)
    }

    /// Runs a block as ``saveWithBlock(_:_:)`` does, while the caller goes on.
    ///
    /// - Parameter completion: called once, as that of ``saveWithBlock(_:completion:)``.
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
    /// A context for one block: below root, or below what stands for the default context.
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
    /// Calls a completion that was announced to ``completions``, on a queue where it may save, or
    /// take its time.
    func complete(_ completion: @escaping @Sendable () -> Void) {
        // A queue of its own for each: the threads of the global one are few, and tasks need them.
        DispatchQueue(label: "RecordStack.completion").async { [completions, completionThreads] in
            completionThreads.running(completion)
            completions.leave()
        }
    }
}
