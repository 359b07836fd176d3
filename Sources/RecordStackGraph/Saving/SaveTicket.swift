import Synchronization

/// Identifies a save, which is running until it has been written or has failed.
final class SaveTicket: Sendable {
    private let finished = Atomic(false)
    /// The monitor of the context on which the save was called.
    private let saver = Mutex<ContextMonitor?>(nil)

    var asker: ContextMonitor? {
        get { saver.withLock { $0 } }
        set { saver.withLock { $0 = newValue } }
    }

    /// The changes that the save writes, from their capture until the save ends.
    private let written = Mutex<Written?>(nil)

    /// A box that keeps tickets small, because a ticket lives as long as its commit.
    private final class Written {
        var changes: WrittenChanges

        init(_ changes: WrittenChanges) { self.changes = changes }
    }

    func write(_ changes: WrittenChanges) { written.withLock { $0 = Written(changes) } }

    /// Whether the save writes a change, or may do so.
    func mayWrite(_ target: WriteTarget) -> Bool {
        written.withLock { $0?.changes.contains(target) } ?? isUnderWay
    }

    var isUnderWay: Bool { !finished.load(ordering: .acquiring) }

    func finish() {
        finished.store(true, ordering: .releasing)
        written.withLock { $0 = nil }
    }
}

/// Records whether the task that waits for a save was cancelled.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    func set() { flag.store(true, ordering: .releasing) }

    func check() throws {
        if flag.load(ordering: .acquiring) { throw CancellationError() }
    }
}
