import Foundation

/// Limits how many tasks run at a time. The other tasks wait without blocking a thread.
actor Turnstile {
    /// Runs one compiler per core: more of them would only slow each other down.
    static let compilers = Turnstile(width: ProcessInfo.processInfo.activeProcessorCount)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(width: Int) {
        free = max(width, 1)
    }

    func pass<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
