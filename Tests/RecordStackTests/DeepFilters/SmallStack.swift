import Foundation
import Synchronization

/// Threads whose stacks are as small as those of dispatch queues.
enum SmallStack {
    /// The stack size. Under the address sanitizer each step takes many times the space.
    private static let bytes =
        switch ProcessInfo.processInfo.environment["RECORDSTACK_SANITIZER"] {
        case nil: 512 << 10
        default: 8 << 20
        }

    static func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) throws -> Result {
        let box = Box<Result>()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let outcome = Swift.Result { try body() }
            box.outcome.withLock { $0 = outcome }
            done.signal()
        }
        thread.stackSize = bytes
        thread.start()
        done.wait()
        // The thread sets the outcome before it signals.
        return try box.outcome.withLock { $0! }.get()
    }

    private final class Box<Result: Sendable>: Sendable {
        let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
    }
}
