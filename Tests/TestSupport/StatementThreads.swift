import Dispatch
import Foundation
package import RecordStackModel
import Synchronization

/// The main queue, on which all work of the main actor runs.
///
/// The queue's thread varies. On Linux, in a program that waits in `dispatchMain()`, it is any
/// worker thread.
package enum MainQueue {
    private static let key = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// True if the main actor waits for the current code: a queue's `sync` runs it on the waiting
    /// thread.
    package static var isHeldUp: Bool {
        if isCurrent { return true }
        let answer = Answer()
        // The task runs at once if this is the main actor's thread. Otherwise it runs later, on
        // that thread.
        Task.immediate { @MainActor in
            answer.thread.store(pthread_self(), ordering: .releasing)
        }
        return answer.thread.load(ordering: .acquiring) == pthread_self()
    }

    private final class Answer: Sendable {
        let thread = Atomic<UInt>(0)
    }
}

/// Records statements, and whether each ran on the main queue or kept it waiting.
package final class StatementThreads: Sendable {
    private let statements = Mutex<[(sql: String, isMain: Bool)]>([])

    package init() {}

    package func observe(_ event: StoreEvent) {
        guard case .statement(_, let sql) = event else { return }
        let isMain = MainQueue.isHeldUp
        statements.withLock { $0.append((sql, isMain)) }
    }

    package func options() -> StoreOptions {
        var options = StoreOptions()
        options.observer = { [self] event in observe(event) }
        return options
    }

    /// Runs a body, and returns the number of statements during it, and the SQL of those that ran
    /// on the main queue or kept it waiting.
    @MainActor package func during<Value>(
        _ body: @MainActor () async throws -> Value
    ) async throws -> (value: Value, count: Int, onMain: [String]) {
        let start = statements.withLock { $0.count }
        let value = try await body()
        let ran = statements.withLock { Array($0.dropFirst(start)) }
        return (value, ran.count, ran.filter(\.isMain).map(\.sql))
    }
}
