import RecordStackModel

/// A Sendable handle to a context that has its own queue.
///
/// ```swift
/// let background = stack.newPrivateQueueContext()
/// let count = try await background.perform { context in
///     try Person.count(in: context)
/// }
/// ```
///
/// You can pass the handle anywhere. The context and its objects stay on the queue. A block must
/// not keep them, and can return only Sendable values. Nothing is saved until a block saves the
/// context.
public final class PrivateQueueContext: Sendable {
    private let room: SerialQueue
    private let coordinator: PersistentStoreCoordinator
    private let make: @Sendable () -> ManagedObjectContext
    // `nonisolated(unsafe)`: created together with the queue and used only there, one block at a
    // time.
    nonisolated(unsafe) private let context: ManagedObjectContext?
    /// The monitor of the long-lived context; nil if each block gets a new child.
    private let monitor: ContextMonitor?

    /// Creates the handle of one long-lived context, or, for root, of a new child for each block.
    init(
        room: SerialQueue, of coordinator: PersistentStoreCoordinator, lendsChildren: Bool,
        make: @escaping @Sendable () -> ManagedObjectContext
    ) {
        self.room = room
        self.coordinator = coordinator
        self.make = make
        let context = lendsChildren ? nil : make()
        monitor = context?.monitor
        self.context = context
    }

    /// The context's name in messages, which you can set on any thread at any time.
    public var name: String {
        get { room.name }
        set {
            room.name = newValue
            monitor?.name = newValue
        }
    }

    /// Runs a block with the context, on the context's queue, after all earlier blocks.
    ///
    /// - Throws: The errors of the block. Throws ``RecordStackError/Code/closed`` if the stack is
    ///   closed.
    @discardableResult
    public func perform<Value: Sendable>(
        _ block: sending @escaping (ManagedObjectContext) throws -> Value
    ) async throws -> Value {
        let transfer = Transfer(value: block)
        let value = try await withCheckedThrowingContinuation { continuation in
            room.run { [self] in
                continuation.resume(with: Result { try lend(to: transfer.value) })
            }
        }
        await coordinator.mergeOnReturnToMain()
        return value
    }

    /// Runs a block with the context, on the context's queue, and waits for the block.
    ///
    /// - Throws: The errors of the block. Throws ``RecordStackError/Code/closed`` if the stack is
    ///   closed. Throws ``RecordStackError/Code/misuse`` if the queue waits for the calling block,
    ///   because the call would never return.
    @available(*, noasync, message: "Use perform, which does not block the thread.")
    @discardableResult
    public func performAndWait<Value: Sendable>(
        _ block: sending (ManagedObjectContext) throws -> Value
    ) throws -> Value {
        let value = try room.runAndWait { try lend(to: block) }
        coordinator.mergeOnReturnToMainAndWait()
        return value
    }

    private func lend<Value>(to block: (ManagedObjectContext) throws -> Value) throws -> Value {
        if coordinator.isClosed { throw RecordStackError.closedStack }
        let context = context ?? make()
        return try context.lent { try context.inBursts { try block(context) } }
    }

    /// Waits for the blocks that were passed before.
    func drain() throws {
        try room.drain()
    }
}
