import Dispatch
import RecordStackModel

extension PersistentStoreCoordinator {
    /// Runs a body with a reader on another thread.
    ///
    /// - Returns: the body's result, and the statistics of what the reader did.
    func readingElsewhere<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> (Value, StoreStatistics) {
        try await withCheckedThrowingContinuation { continuation in
            queues.readers.async { [self] in
                continuation.resume(
                    with: Result {
                        if isClosed { throw RecordStackError.closedStack }
                        let reader = try store.reader()
                        let before = reader.statistics
                        defer { reader.end() }
                        return (try body(reader), reader.statistics - before)
                    })
            }
        }
    }
}
