import Glibc

/// Held by one connection of one process at a time, while it writes a store's log back.
///
/// SQLite before 3.51.3 can damage a file when two connections begin to write back and start the log
/// anew at the same moment. Its own locks are not enough for that, so the programs that use this
/// library agree among themselves. The lock is on the log: SQLite locks bytes of the other two files,
/// and closing a file that it has locked bytes of would lose its locks.
struct CheckpointLock: ~Copyable {
    /// The open log; below 0 where there is none, and so nothing to write back.
    private let descriptor: Int32

    /// Nil where another one has it.
    init?(path: String) {
        descriptor = open(path + "-wal", O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            close(descriptor)
            return nil
        }
    }

    deinit {
        // Closing it gives the lock up.
        if descriptor >= 0 { close(descriptor) }
    }
}
