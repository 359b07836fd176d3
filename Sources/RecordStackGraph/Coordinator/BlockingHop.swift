import Dispatch

/// Where is run what is not the caller's thread's business, while the caller waits.
///
/// It is a program's own code that reading a property calls: the compiler is told that reading a property releases nothing
/// that the reader can see. What the reader can see is its own isolation's, which code on another thread cannot touch, or
/// behind a lock; so whatever that code lets go of is nothing of the reader's.
enum BlockingHop {
    /// Runs a body on another thread and waits for it.
    static func run(_ body: @escaping @Sendable () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        // A queue of its own always gets a thread; `sync` would run it on this one.
        DispatchQueue(label: "RecordStack.waited").async {
            body()
            isDone.signal()
        }
        isDone.wait()
    }
}
