import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A mark that shows whether the process was forked since the mark was set.
///
/// The mark is a page of memory that Linux (4.14 and later) clears in a forked child, so a check
/// costs one read of memory. On other systems the mark is the ID of the process, and a check costs
/// a system call.
///
/// - Note: `@unchecked Sendable`: all threads read the same byte of the page. The initializer
///   sets it before another thread has the mark. The kernel clears it in a forked child, which
///   has one thread at that time. `set()` writes the value that the byte already has, or runs
///   in such a child.
@usableFromInline
package final class ForkMark: @unchecked Sendable {
    @usableFromInline let page: UnsafeMutableRawPointer?
    private let process = Atomic(CurrentProcess.id)

    package init() {
        page = Self.makePage()
        set()
    }

    deinit {
        #if canImport(Glibc) && !PortablePlatform
            if let page { munmap(page, Self.pageSize) }
        #endif
    }

    /// Whether this process set the mark itself.
    @inlinable
    package var isOwn: Bool {
        if let page { page.load(as: UInt8.self) == 1 } else { hasOwnID }
    }

    @usableFromInline
    var hasOwnID: Bool { process.load(ordering: .relaxed) == CurrentProcess.id }

    /// Sets the mark for this process.
    package func set() {
        page?.storeBytes(of: 1, as: UInt8.self)
        process.store(CurrentProcess.id, ordering: .relaxed)
    }

    #if canImport(Glibc) && !PortablePlatform
        private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

        private static func makePage() -> UnsafeMutableRawPointer? {
            let flags = MAP_PRIVATE | MAP_ANONYMOUS
            let made = mmap(nil, pageSize, PROT_READ | PROT_WRITE, flags, -1, 0)
            guard let made, made != MAP_FAILED else { return nil }
            if madvise(made, pageSize, MADV_WIPEONFORK) == 0 { return made }
            munmap(made, pageSize)
            return nil
        }
    #else
        private static func makePage() -> UnsafeMutableRawPointer? { nil }
    #endif
}
