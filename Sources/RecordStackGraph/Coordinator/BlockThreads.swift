import RecordStackPlatform
import Synchronization

/// The threads that run a save block of a coordinator at this moment.
final class BlockThreads: Sendable {
    private let threads = Mutex<Set<UInt>>([])

    var isInside: Bool {
        let thread = CurrentThread.id
        return threads.withLock { $0.contains(thread) }
    }

    /// Runs a save block.
    func running<Result>(_ block: () throws -> Result) rethrows -> Result {
        let thread = CurrentThread.id
        threads.withLock { _ = $0.insert(thread) }
        defer { threads.withLock { _ = $0.remove(thread) } }
        return try block()
    }
}
