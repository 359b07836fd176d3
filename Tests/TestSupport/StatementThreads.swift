import Dispatch
import Foundation
package import RecordStackModel
import Synchronization

/// The main queue, on which everything of the main actor runs. Which thread it has depends: where a program
/// waits in `dispatchMain()`, on Linux, it is none but a worker's.
package enum MainQueue {
    private static let key = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Whether the main actor waits for what runs here: a queue's `sync` runs it on the thread of who waits.
    package static var isHeldUp: Bool {
        if isCurrent { return true }
        let answer = Answer()
        // It runs at once where this is the main actor's thread, and later on that one elsewhere.
        Task.immediate { @MainActor in
            answer.thread.store(pthread_self(), ordering: .releasing)
        }
        return answer.thread.load(ordering: .acquiring) == pthread_self()
    }

    private final class Answer: Sendable {
        let thread = Atomic<UInt>(0)
    }
}

/// Statements, and whether they ran on the main queue or had it wait.
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

    /// What ran during a body: how many statements, and those of them that ran on the main queue or had it wait.
    @MainActor package func during<Value>(
        _ body: @MainActor () async throws -> Value
    ) async throws -> (value: Value, count: Int, onMain: [String]) {
        let start = statements.withLock { $0.count }
        let value = try await body()
        let ran = statements.withLock { Array($0.dropFirst(start)) }
        return (value, ran.count, ran.filter(\.isMain).map(\.sql))
    }
}
