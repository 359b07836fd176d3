import Dispatch
package import RecordStackModel
import Synchronization

/// Blocks a store at a chosen statement, so that a test can act meanwhile.
package final class Gate: Sendable {
    private struct State {
        var pattern: String?
        var passes = 0
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    package init() {}

    /// Observes the events of a store. Pass this as the store's observer.
    package func observe(_ event: StoreEvent) {
        guard case .statement(_, let sql) = event else { return }
        let holds = state.withLock { state in
            guard let pattern = state.pattern, sql.hasPrefix(pattern) else { return false }
            if state.passes > 0 {
                state.passes -= 1
                return false
            }
            state.pattern = nil
            return true
        }
        guard holds else { return }
        arrived.signal()
        opened.wait()
    }

    /// Blocks the next statement that begins with a pattern, or a later one, until `open()`.
    package func close(at pattern: String, after passes: Int = 0) {
        state.withLock {
            $0.pattern = pattern
            $0.passes = passes
        }
    }

    /// Waits until a statement is blocked at the gate.
    package func waitUntilHeld() async {
        await withCheckedContinuation { continuation in
            // Blocking a thread of the global queue would take it from the tasks, so this uses
            // another queue.
            DispatchQueue(label: "gate").async { [arrived] in
                arrived.wait()
                continuation.resume()
            }
        }
    }

    package func open() { opened.signal() }

    /// Ends the wait of `waitUntilHeld()` if no statement has reached the gate, because none will.
    package func discard() {
        let isExpected = state.withLock { state in
            defer { state.pattern = nil }
            return state.pattern != nil
        }
        if isExpected { arrived.signal() }
    }

    /// Lets every statement pass from now on, so that a failed test does not hang.
    package func openForGood() {
        state.withLock { $0.pattern = nil }
        opened.signal()
    }

    /// Store options whose observer is the gate.
    package var options: StoreOptions {
        var options = StoreOptions()
        options.observer = { [self] in observe($0) }
        return options
    }
}
