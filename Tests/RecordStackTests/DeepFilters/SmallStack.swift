import Foundation
import Synchronization

/// Threads with as much stack as those of queues have.
enum SmallStack {
    /// The address sanitizer makes each step take many times the room.
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
        // It was set before the signal.
        return try box.outcome.withLock { $0! }.get()
    }

    private final class Box<Result: Sendable>: Sendable {
        let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
    }
}
