import RecordStackPlatform
import Synchronization

/// The number of stores that are open in this process, or were when the process was forked.
///
/// SQLite keeps its locks in memory, by file. A forked child has a copy of that memory and would
/// rely on locks that its parent holds. Even a separate stack is not safe on the same file.
enum OpenStores {
    /// The number of open stores, including those that were open at the fork.
    private static let count = Atomic(0)
    private static let mark = ForkMark()

    static func add() {
        // A child whose parent had no open stores is like any other process from here on.
        mark.set()
        count.add(1, ordering: .relaxed)
    }

    /// Counts a closed store. Called by the process that opened it.
    static func remove() {
        count.subtract(1, ordering: .relaxed)
    }

    /// Whether stores were inherited through a fork. Checked before a store is opened.
    ///
    /// A child has one thread when it begins, so no thread changes the count while the mark is
    /// checked for the first time. The process itself always finds its mark.
    static var areInherited: Bool { !mark.isOwn && count.load(ordering: .relaxed) > 0 }
}
