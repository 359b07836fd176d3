import Dispatch
package import RecordStackModel
import Synchronization

/// Holds a store's statements up at a chosen one, so that a test can look at what happens meanwhile.
package final class Gate: Sendable {
    private struct State {
        var pattern: String?
        var passes = 0
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    package init() {}

    /// The observer to give to a store.
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

    /// The next statement that begins so waits until the gate is opened, or one of those after it.
    package func close(at pattern: String, after passes: Int = 0) {
        state.withLock {
            $0.pattern = pattern
            $0.passes = passes
        }
    }

    /// Waits until a statement stands before the gate.
    package func waitUntilHeld() async {
        await withCheckedContinuation { continuation in
            // A queue of its own: a blocked thread of the global one would be missed by tasks.
            DispatchQueue(label: "gate").async { [arrived] in
                arrived.wait()
                continuation.resume()
            }
        }
    }

    package func open() { opened.signal() }

    /// Where nothing has come to the gate, nothing will: who waits for it goes on.
    package func giveUp() {
        let isExpected = state.withLock { state in
            defer { state.pattern = nil }
            return state.pattern != nil
        }
        if isExpected { arrived.signal() }
    }

    /// Lets everything pass from now on, so that a test that failed does not hang.
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
