import Synchronization

/// Counts the calls of one completion.
final class CompletionCount: Sendable {
    private let calls = Atomic(0)

    var value: Int { calls.load(ordering: .acquiring) }

    /// Starts work that calls a completion, and waits for the completion's first call.
    func wait<Value: Sendable>(
        _ begin: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) async throws -> Value {
        let result = await withCheckedContinuation { continuation in
            begin { [self] result in
                let (before, _) = calls.add(1, ordering: .acquiringAndReleasing)
                if before == 0 { continuation.resume(returning: result) }
            }
        }
        return try result.get()
    }
}
