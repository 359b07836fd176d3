import Foundation
import Synchronization

/// Runs a body on a thread with half a megabyte of stack, which is what threads of queues have. Code that is not optimized
/// takes twice as much, and code under a sanitizer eight times as much.
func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
    let result = Mutex<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        let value = body()
        result.withLock { $0 = value }
        done.signal()
    }
    #if DEBUG
        let isSanitized = ProcessInfo.processInfo.environment["RECORDSTACK_SANITIZER"] != nil
        thread.stackSize = (isSanitized ? 4_096 : 1_024) << 10
    #else
        thread.stackSize = 512 << 10
    #endif
    thread.start()
    done.wait()
    // The thread has set it.
    return result.withLock { $0! }
}
