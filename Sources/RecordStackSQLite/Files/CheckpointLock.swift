import RecordStackPlatform

/// Held by one connection of one process at a time, while it writes a store's log back.
///
/// SQLite before 3.51.3 can damage a file when two connections begin to write back and start the log
/// anew at the same moment. Its own locks are not enough for that, so the programs that use this
/// library agree among themselves. The lock is on the log: SQLite locks bytes of the other two files,
/// and closing a file that it has locked bytes of would lose its locks.
package struct CheckpointLock: ~Copyable {
    /// The open log; nil where there is none, and so nothing to write back.
    private let log: OpenFile?

    /// Nil where another one has it.
    package init?(path: String) {
        let log = try? OpenFile(path + "-wal", .reading)
        if log?.lock() == false { return nil }
        self.log = log
    }
}
