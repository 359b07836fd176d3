import Glibc

/// Held by one connection of one process at a time, while it writes a store's log back.
///
/// SQLite before 3.51.3 can damage a file when two connections begin to write back and start the log
/// anew at the same moment. Its own locks are not enough for that, so the programs that use this
/// library agree among themselves. The lock is on the log: SQLite locks bytes of the other two files,
/// and closing a file that it has locked bytes of would lose its locks.
package struct CheckpointLock: ~Copyable {
    /// The open log; below 0 where there is none, and so nothing to write back.
    private let descriptor: Int32

    /// Nil where another one has it.
    package init?(path: String) {
        let log = open(path + "-wal", O_RDONLY | O_CLOEXEC)
        if log >= 0 && flock(log, LOCK_EX | LOCK_NB) != 0 {
            // What was kept would be closed once more by `deinit`, which also follows a `return nil`: by then
            // the number may be that of a file of somebody else.
            close(log)
            return nil
        }
        descriptor = log
    }

    deinit {
        // Closing it gives the lock up.
        if descriptor >= 0 { close(descriptor) }
    }
}
