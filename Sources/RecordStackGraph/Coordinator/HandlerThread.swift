import Dispatch

/// Where a program's own code is run that a property's reading calls.
///
/// The compiler is told that reading a property releases nothing that the reader can see. What the
/// reader can see is its own isolation's, which code on another thread cannot touch, or behind a
/// lock; so whatever that code lets go of is nothing of the reader's.
enum HandlerThread {
    /// Runs a body on another thread and waits for it.
    static func run(_ body: @escaping @Sendable () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        // A queue of its own always gets a thread; `sync` would run it on this one.
        DispatchQueue(label: "RecordStack.faultHandler").async {
            body()
            isDone.signal()
        }
        isDone.wait()
    }
}
