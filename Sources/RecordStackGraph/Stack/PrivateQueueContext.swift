import RecordStackModel

/// A context on a queue of its own, with one door.
///
/// ```swift
/// let background = stack.newPrivateQueueContext()
/// let count = try await background.perform { context in
///     try Person.count(in: context)
/// }
/// ```
///
/// It can be passed anywhere. What is inside, the context and its objects, stays inside: the block
/// may not keep them, and what it returns is Sendable. Saving is explicit.
public final class PrivateQueueContext: Sendable {
    private let room: SerialQueue
    private let coordinator: PersistentStoreCoordinator
    private let make: @Sendable () -> ManagedObjectContext
    // Made with the room and used in it alone, one block at a time.
    nonisolated(unsafe) private let context: ManagedObjectContext?
    /// The long-lived context's.
    private let monitor: ContextMonitor?

    /// A long-lived context, or, for root, a new child for each block.
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

    /// A name for messages, that of the context. It can be set from any thread at any time.
    public var name: String {
        get { room.name }
        set {
            room.name = newValue
            monitor?.name = newValue
        }
    }

    /// Runs a block with the context, in turn, on its queue.
    ///
    /// - Throws: what the block throws; ``RecordStackError/Code/closed`` where the stack is closed.
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

    /// Runs a block with the context, in turn, and waits for it.
    ///
    /// - Throws: what the block throws; ``RecordStackError/Code/closed`` where the stack is closed;
    ///   ``RecordStackError/Code/misuse`` where waiting would never end, because the block that calls is one
    ///   that the queue waits for.
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

    /// Waits for the blocks that were handed in before.
    func drain() throws {
        try room.drain()
    }
}
