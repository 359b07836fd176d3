import Glibc
import Synchronization

/// How many stores are open in this process, and whether any of them was opened by a process that
/// this one was forked from.
///
/// SQLite keeps what it has locked in memory, by file. A forked child has a copy of that, and would
/// believe in locks that its parent holds: not even a stack of its own is safe on the same file.
enum OpenStores {
    /// How many there are, those included that were open at the fork.
    private static let count = Atomic(0)
    // The page says 1 in the process that made it; the kernel clears it in a child. It is made once
    // and never freed, and what is in it is atomic.
    nonisolated(unsafe) private static let mark: UnsafeMutablePointer<Atomic<Int>>? = {
        let size = Int(sysconf(Int32(_SC_PAGESIZE)))
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let page = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), page != MAP_FAILED,
            madvise(page, size, MADV_WIPEONFORK) == 0
        else { return nil }
        let mark = page.bindMemory(to: Atomic<Int>.self, capacity: 1)
        mark.initialize(to: Atomic(1))
        return mark
    }()

    static func add() {
        // A child whose parent had none open is like any other process from here on.
        mark?.pointee.store(1, ordering: .relaxed)
        count.add(1, ordering: .relaxed)
    }

    /// Called by the process that opened the store.
    static func remove() {
        count.subtract(1, ordering: .relaxed)
    }

    /// Asked before a store is opened. A child has one thread when it begins, so nobody counts while
    /// the mark is looked at for the first time; the process itself always finds its mark.
    static var areInherited: Bool {
        guard let mark, mark.pointee.load(ordering: .relaxed) == 0 else { return false }
        return count.load(ordering: .relaxed) > 0
    }
}
