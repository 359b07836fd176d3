import Dispatch
public import RecordStackModel

extension ManagedObjectContext {
    /// Runs a block with a child of this context, and saves the child's changes.
    ///
    /// The block runs in this context's isolation. The save also writes the unsaved changes of this
    /// context and its ancestors.
    ///
    /// - Returns: The result of the block.
    /// - Throws: The errors of the block and of the save. Throws ``RecordStackError/Code/misuse``
    ///   inside a save block. If the call throws, the changes of the child are discarded.
    @discardableResult
    public func saveWithBlock<Value: Sendable>(
        _ block: sending (ManagedObjectContext) throws -> Value
    ) async throws -> Value {
        try await resolveInDoubtBeforeBlock()
        let (child, value) = try runInChild(block)
        try await save(child, [])
        return value
    }

    /// Runs a block as ``saveWithBlock(_:)`` does, and saves with options.
    ///
    /// - Parameters:
    ///   - options: Additional guarantees of the save.
    ///   - block: A closure that makes the changes.
    @discardableResult
    public func saveWithBlock<Value: Sendable>(
        _ options: SaveOptions, _ block: sending (ManagedObjectContext) throws -> Value
    ) async throws -> Value {
        try await resolveInDoubtBeforeBlock()
        let (child, value) = try runInChild(block)
        try await save(child, options)
        return value
    }

    /// Runs a block as ``saveWithBlock(_:)`` does, and blocks until the save is complete.
    @available(*, noasync, message: "Use saveWithBlock, which does not block the thread.")
    @discardableResult
    public func saveWithBlockAndWait<Value: Sendable>(
        _ block: sending (ManagedObjectContext) throws -> Value
    ) throws -> Value {
        let (child, value) = try runInChild(block)
        _ = try RecordStackError.wording(for: .block) { try child.saveNow() }
        return value
    }

    /// Runs a block as ``saveWithBlock(_:_:)`` does, and blocks until the save is complete.
    @available(*, noasync, message: "Use saveWithBlock, which does not block the thread.")
    @discardableResult
    public func saveWithBlockAndWait<Value: Sendable>(
        _ options: SaveOptions, _ block: sending (ManagedObjectContext) throws -> Value
    ) throws -> Value {
        let (child, value) = try runInChild(block)
        _ = try RecordStackError.wording(for: .block) { try child.saveNow(options) }
        return value
    }

    /// Runs a block as ``saveWithBlock(_:)`` does, but saves after the call has returned.
    ///
    /// - Parameters:
    ///   - block: A closure that makes the changes.
    ///   - completion: A closure that is called exactly once, when the changes are in the store or
    ///     the call has failed. It runs on one of the stack's queues, never on the main queue.
    public func saveWithBlock<Value: Sendable>(
        _ block: sending (ManagedObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        saveWithBlock([], block, completion: completion)
    }

    /// Runs a block as ``saveWithBlock(_:_:)`` does, but saves after the call has returned.
    ///
    /// - Parameters:
    ///   - options: Additional guarantees of the save.
    ///   - block: A closure that makes the changes.
    ///   - completion: A closure that is called as in ``saveWithBlock(_:completion:)``.
    public func saveWithBlock<Value: Sendable>(
        _ options: SaveOptions, _ block: sending (ManagedObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        coordinator.completions.enter()
        let coordinator = coordinator
        do {
            let (child, value) = try runInChild(block)
            child.saveLater(options) { result in
                let result = Result {
                    try RecordStackError.wording(for: .block) { try result.get() }
                }
                coordinator.complete { completion(result.map { _ in value }) }
            }
        } catch {
            coordinator.complete { completion(.failure(error)) }
        }
    }

    /// Saves the child of a block, which the caller releases even if the save fails.
    private func save(_ child: ManagedObjectContext, _ options: SaveOptions) async throws {
        do { try await child.save(options) } catch let error as RecordStackError {
            throw error.worded(for: .block)
        }
    }

    private func runInChild<Value>(
        _ block: (ManagedObjectContext) throws -> Value
    ) throws -> (ManagedObjectContext, Value) {
        try checkBlock()
        try coordinator.resolveInDoubtAndWait()
        let child = newChild(name: "save block")
        return (child, try coordinator.blocks.running { try block(child) })
    }

    private func checkBlock() throws {
        if coordinator.blocks.isInside { throw RecordStackError.insideBlock("saveWithBlock") }
        try coordinator.hooks.refuse("saveWithBlock")
    }

    /// Resolves an earlier in-doubt save.
    ///
    /// If that save is in the store, a repeated block would otherwise conflict with it.
    private func resolveInDoubtBeforeBlock() async throws {
        try checkBlock()
        try await coordinator.resolveInDoubt()
    }
}
