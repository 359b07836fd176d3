import Dispatch

/// Pauses a block of code, so that a test can act meanwhile.
package final class Barrier: Sendable {
    private let arrived = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    package init() {}

    /// Waits until the test opens the barrier. The blocked work calls this.
    package func pass() {
        arrived.signal()
        opened.wait()
    }

    /// Waits until the work has reached the barrier.
    package func arrival() async {
        await withCheckedContinuation { continuation in
            // Blocking a thread of the global queue would take it from the tasks, so this uses
            // another queue.
            DispatchQueue(label: "barrier").async { [arrived] in
                arrived.wait()
                continuation.resume()
            }
        }
    }

    package func open() { opened.signal() }
}
