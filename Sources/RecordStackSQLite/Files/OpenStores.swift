import Glibc
import Synchronization

/// How many stores are open in this process, and whether any of them was opened by a process that
/// this one was forked from.
///
/// SQLite keeps what it has locked in memory, by file. A forked child has a copy of that, and would
/// believe in locks that its parent holds: not even a stack of its own is safe on the same file.
enum OpenStores {
    private static let all = Atomic(0)
    // The page holds the count of this process alone, because the kernel clears it in a child; it
    // is made once and never freed.
    nonisolated(unsafe) private static let own: UnsafeMutablePointer<Atomic<Int>>? = {
        let size = Int(sysconf(Int32(_SC_PAGESIZE)))
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let page = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), page != MAP_FAILED,
            madvise(page, size, MADV_WIPEONFORK) == 0
        else { return nil }
        let count = page.bindMemory(to: Atomic<Int>.self, capacity: 1)
        count.initialize(to: Atomic(0))
        return count
    }()

    static func add() {
        own?.pointee.add(1, ordering: .relaxed)
        all.add(1, ordering: .relaxed)
    }

    /// Called by the process that opened the store.
    static func remove() {
        own?.pointee.subtract(1, ordering: .relaxed)
        all.subtract(1, ordering: .relaxed)
    }

    static var areInherited: Bool {
        guard let own else { return false }
        return own.pointee.load(ordering: .relaxed) != all.load(ordering: .relaxed)
    }
}
