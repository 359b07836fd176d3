import RecordStackPlatform

/// A lock that one connection of one process holds while it writes a store's log back.
///
/// SQLite before 3.51.3 can damage a file if two connections begin a checkpoint and restart the log
/// at the same moment. SQLite's own locks do not prevent that, so the programs that use this
/// library coordinate among themselves. The lock is on the log, because SQLite locks bytes of the
/// other two files. Closing one of those would release SQLite's locks.
package struct CheckpointLock: ~Copyable {
    /// The open log; nil if there is no log, and so nothing to write back.
    private let log: OpenFile?

    /// Takes the lock; nil if another process or connection has it.
    package init?(path: String) {
        let log = try? OpenFile(path + "-wal", .reading)
        if log?.lock() == false { return nil }
        self.log = log
    }
}
