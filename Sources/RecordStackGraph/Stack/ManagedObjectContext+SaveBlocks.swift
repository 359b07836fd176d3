import Dispatch
public import RecordStackModel

extension ManagedObjectContext {
    /// Runs a block with a child of this context, in this isolation, and saves what it changed,
    /// together with the unsaved changes of this context and its ancestors.
    ///
    /// - Returns: what the block returns.
    /// - Throws: what the block throws, and then nothing is kept of the child;
    ///   ``RecordStackError/Code/misuse`` inside of a save block; what saving throws.
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
    ///   - options: what the save promises beyond the usual.
    ///   - block: what to do.
    @discardableResult
    public func saveWithBlock<Value: Sendable>(
        _ options: SaveOptions, _ block: sending (ManagedObjectContext) throws -> Value
    ) async throws -> Value {
        try await resolveInDoubtBeforeBlock()
        let (child, value) = try runInChild(block)
        try await save(child, options)
        return value
    }

    /// Runs a block as ``saveWithBlock(_:)`` does, and waits for the save.
    @available(*, noasync, message: "Use saveWithBlock, which does not block the thread.")
    @discardableResult
    public func saveWithBlockAndWait<Value: Sendable>(
        _ block: sending (ManagedObjectContext) throws -> Value
    ) throws -> Value {
        let (child, value) = try runInChild(block)
        _ = try RecordStackError.wording(for: .block) { try child.saveNow() }
        return value
    }

    /// Runs a block as ``saveWithBlock(_:_:)`` does, and waits for the save.
    @available(*, noasync, message: "Use saveWithBlock, which does not block the thread.")
    @discardableResult
    public func saveWithBlockAndWait<Value: Sendable>(
        _ options: SaveOptions, _ block: sending (ManagedObjectContext) throws -> Value
    ) throws -> Value {
        let (child, value) = try runInChild(block)
        _ = try RecordStackError.wording(for: .block) { try child.saveNow(options) }
        return value
    }

    /// Runs a block as ``saveWithBlock(_:)`` does; the save is written after the call has returned.
    ///
    /// - Parameter completion: called once, when the changes are in the store or nothing was saved,
    ///   on a queue of the stack's own, never on the main queue.
    public func saveWithBlock<Value: Sendable>(
        _ block: sending (ManagedObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        saveWithBlock([], block, completion: completion)
    }

    /// Runs a block as ``saveWithBlock(_:_:)`` does; the save is written after the call has
    /// returned.
    ///
    /// - Parameter completion: called once, as that of ``saveWithBlock(_:completion:)``.
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

    /// Saves the context of a block, which is gone where that fails.
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

    /// Finds out what became of an earlier save. A block that is run again would take what that has stored for
    /// changes on both sides.
    private func resolveInDoubtBeforeBlock() async throws {
        try checkBlock()
        try await coordinator.resolveInDoubt()
    }
}
