import Dispatch
import RecordStackModel

extension ContextStack {
    /// Runs a block with a new context and saves nothing.
    ///
    /// ```swift
    /// let names = try await stack.read { context in try Person.find(in: context).map(\.name) }
    /// ```
    ///
    /// The block does not wait for save blocks, and save blocks do not wait for it.
    ///
    /// - Throws: The errors of the block. Throws ``RecordStackError/Code/closed`` if the stack is
    ///   closed.
    public func read<Value: Sendable>(
        _ block: sending @escaping (ManagedObjectContext) throws -> Value
    ) async throws -> Value {
        try coordinator.store.checkUsable()
        let transfer = Transfer(value: block)
        return try await withCheckedThrowingContinuation { continuation in
            coordinator.queues.readers.async { [coordinator] in
                let context = ManagedObjectContext(
                    coordinator: coordinator, name: "read", lentBy: .block)
                continuation.resume(
                    with: Result {
                        if coordinator.isClosed { throw RecordStackError.closedStack }
                        return try coordinator.completionThreads.running {
                            try context.lent {
                                try context.inBursts { try transfer.value(context) }
                            }
                        }
                    })
            }
        }
    }
}
