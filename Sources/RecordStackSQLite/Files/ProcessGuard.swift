import RecordStackModel
import RecordStackPlatform

/// A check that this process is the one that opened a store.
///
/// Connections must not cross a fork: the child's SQLite would rely on locks that its parent holds.
struct ProcessGuard: Sendable {
    private let mark = ForkMark()

    /// Whether this process opened the store itself.
    @inline(__always)
    var isOwn: Bool { mark.isOwn }

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
