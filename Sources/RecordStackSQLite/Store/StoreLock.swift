import Dispatch

/// A lock that one call takes and another one releases, on any thread.
struct StoreLock: Sendable {
    private let semaphore = DispatchSemaphore(value: 1)

    func lock() { semaphore.wait() }
    func unlock() { semaphore.signal() }
}
