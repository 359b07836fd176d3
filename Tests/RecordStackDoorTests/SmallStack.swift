import Foundation
import Synchronization

/// Runs a body on a thread with half a megabyte of stack, the size of a queue's threads.
///
/// The stack is twice as large for unoptimized code, and eight times as large under a sanitizer.
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
    // The thread has set the value.
    return result.withLock { $0! }
}
