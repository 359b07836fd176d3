import Synchronization

/// A save on its way to the store: under way until it was written or has failed.
final class SaveTicket: Sendable {
    private let finished = Atomic(false)
    /// The monitor of the context that was asked to save.
    private let saver = Mutex<ContextMonitor?>(nil)

    var asker: ContextMonitor? {
        get { saver.withLock { $0 } }
        set { saver.withLock { $0 = newValue } }
    }

    /// What the save writes: from when its changes are captured, and as long as it is under way.
    private let written = Mutex<Written?>(nil)

    /// Tickets are kept as long as what was committed with them, so that each is to be small.
    private final class Written {
        var changes: WrittenChanges

        init(_ changes: WrittenChanges) { self.changes = changes }
    }

    func write(_ changes: WrittenChanges) { written.withLock { $0 = Written(changes) } }

    /// Whether a change of a context's is among what the save is writing, or may come to be.
    func mayWrite(_ target: WriteTarget) -> Bool {
        written.withLock { $0?.changes.contains(target) } ?? isUnderWay
    }

    var isUnderWay: Bool { !finished.load(ordering: .acquiring) }

    func finish() {
        finished.store(true, ordering: .releasing)
        written.withLock { $0 = nil }
    }
}

/// Whether the task that waits for a save was cancelled.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    func set() { flag.store(true, ordering: .releasing) }

    func check() throws {
        if flag.load(ordering: .acquiring) { throw CancellationError() }
    }
}
