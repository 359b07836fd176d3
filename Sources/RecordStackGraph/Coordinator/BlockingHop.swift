import Dispatch

/// Runs a program's own code on another thread while the caller waits.
///
/// A program's handlers may run while a property is read. The compiler, however, is told that
/// reading a property releases nothing that the reader can see. This remains true for code on
/// another thread: what the reader can see belongs to the reader's isolation, which that code
/// cannot touch, or is behind a lock.
enum BlockingHop {
    /// Runs a body on another thread and waits for it.
    static func run(_ body: @escaping @Sendable () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        // A new queue always gets a thread. `sync` would run the body on the current thread.
        DispatchQueue(label: "RecordStack.waited").async {
            body()
            isDone.signal()
        }
        isDone.wait()
    }
}
