import Dispatch

/// Holds a block up, so that a test can do something meanwhile.
package final class Barrier: Sendable {
    private let arrived = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    package init() {}

    /// Called by the block: returns when the test has opened it.
    package func pass() {
        arrived.signal()
        opened.wait()
    }

    /// Returns when the block stands before it.
    package func arrival() async {
        await withCheckedContinuation { continuation in
            // A queue of its own: a blocked thread of the global one would be missed by tasks.
            DispatchQueue(label: "barrier").async { [arrived] in
                arrived.wait()
                continuation.resume()
            }
        }
    }

    package func open() { opened.signal() }
}
