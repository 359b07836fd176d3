import RecordStackPlatform
import Synchronization

/// The threads that are running a save block of a coordinator.
final class BlockThreads: Sendable {
    private let threads = Mutex<Set<UInt>>([])

    var isInside: Bool {
        let thread = CurrentThread.id
        return threads.withLock { $0.contains(thread) }
    }

    /// Runs a save block on the current thread, which counts as inside a block meanwhile.
    func running<Result>(_ block: () throws -> Result) rethrows -> Result {
        let thread = CurrentThread.id
        threads.withLock { _ = $0.insert(thread) }
        defer { threads.withLock { _ = $0.remove(thread) } }
        return try block()
    }
}
