import Dispatch

/// A lock that is taken by one call and given back by another.
struct StoreLock: Sendable {
    private let semaphore = DispatchSemaphore(value: 1)

    func lock() { semaphore.wait() }
    func unlock() { semaphore.signal() }
}
