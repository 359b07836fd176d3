import RecordStackPlatform
import Synchronization

/// How many stores are open in this process, and whether any of them was opened by a process that
/// this one was forked from.
///
/// SQLite keeps what it has locked in memory, by file. A forked child has a copy of that, and would
/// believe in locks that its parent holds: not even a stack of its own is safe on the same file.
enum OpenStores {
    /// How many there are, those included that were open at the fork.
    private static let count = Atomic(0)
    private static let mark = ForkMark()

    static func add() {
        // A child whose parent had none open is like any other process from here on.
        mark.set()
        count.add(1, ordering: .relaxed)
    }

    /// Called by the process that opened the store.
    static func remove() {
        count.subtract(1, ordering: .relaxed)
    }

    /// Asked before a store is opened. A child has one thread when it begins, so nobody counts while
    /// the mark is looked at for the first time; the process itself always finds its mark.
    static var areInherited: Bool { !mark.isOwn && count.load(ordering: .relaxed) > 0 }
}
