import Glibc
import RecordStackModel
import Synchronization

/// Knows whether this process is the one that opened a store.
///
/// Connections must not cross a fork: the child's SQLite believes that it holds locks which are its
/// parent's. The guard is a page of memory that the kernel clears in a forked child, so that asking
/// costs a read of memory, where asking for the process's ID would cost a system call.
///
/// - Note: `@unchecked Sendable`: the page is written once, before anyone else knows the guard, and
///   the kernel writes it in a child, which then has one thread.
final class ProcessGuard: @unchecked Sendable {
    private let page: UnsafeMutableRawPointer?
    private let process = getpid()
    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    init() {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        let made = mmap(nil, Self.pageSize, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard let made, made != MAP_FAILED else {
            page = nil
            return
        }
        guard madvise(made, Self.pageSize, MADV_WIPEONFORK) == 0 else {
            munmap(made, Self.pageSize)
            page = nil
            return
        }
        made.storeBytes(of: 1, as: UInt8.self)
        page = made
    }

    deinit {
        if let page { munmap(page, Self.pageSize) }
    }

    /// Whether this process opened the store itself.
    @inline(__always)
    var isOwn: Bool {
        // A kernel before 4.14 does not clear pages.
        if let page { page.load(as: UInt8.self) == 1 } else { getpid() == process }
    }

    @inline(__always)
    func check() throws {
        if !isOwn { throw RecordStackError.forked }
    }
}

extension RecordStackError {
    static var forked: RecordStackError {
        RecordStackError(
            .misuse,
            "The stack was opened by the process that this one was forked from, and a store must not "
                + "be used across a fork. Start the child as a program of its own (posix_spawn, or "
                + "exec after the fork) and let it open its own stack, or fork before the first "
                + "stack is opened.")
    }
}
