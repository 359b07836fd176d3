import Foundation
import Synchronization

/// Runs a body on a thread with half a megabyte of stack, which is what threads of queues have.
func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
    let result = Mutex<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        let value = body()
        result.withLock { $0 = value }
        done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
    // The thread has set it.
    return result.withLock { $0! }
}
