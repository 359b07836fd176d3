import CSQLite
import RecordStackPlatform
import RecordStackModel
import Synchronization

extension SQLiteStore {
    package var needsCheckpoint: Bool {
        location != .memory
            && writer.logPages.load(ordering: .relaxed) >= nextCheckpoint.load(ordering: .relaxed)
    }

    /// Flushes the log to the disk, which is half the work of a checkpoint.
    ///
    /// If this fails, SQLite repeats it and reports the error.
    package func prepareCheckpoint() {
        guard let file, process.isOwn else { return }
        // SQLite's locks are on other files, so closing the log here releases none of them.
        guard let log = try? OpenFile(file.path + "-wal", .reading) else { return }
        try? log.syncData()
    }

    package func checkpoint() {
        guard needsCheckpoint, process.isOwn else { return }
        let pages = writer.logPages.load(ordering: .relaxed)
        do {
            // A log that has become long is truncated, as is one that could not be written back
            // before. Any other log is restarted by the next save.
            let delays = nextCheckpoint.load(ordering: .relaxed) / options.checkpointPages
            let isLong = delays > 1 || pages >= options.checkpointPages * Self.longLog
            try withoutStanding {
                try writer.checkpoint(
                    mode: isLong ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_RESTART,
                    waiting: min(Self.usualWait * Double(delays), Self.longestWait))
            }
            nextCheckpoint.store(options.checkpointPages, ordering: .relaxed)
        } catch {
            // A reader or writer is in the way, or the disk fails. The next attempt comes when the
            // log is twice as long, and saves do not wait for it until then. That attempt waits
            // twice as long, so that overlapping reads cannot let the log grow forever.
            nextCheckpoint.store(max(pages, options.checkpointPages) * 2, ordering: .relaxed)
            options.observer?(.logGrowth(pages: pages))
            let reason = (error as? SQLiteFailure)?.reasonAgainstCheckpoint ?? "\(error)"
            writer.watch.debugger?.tell(
                .logGrowth,
                "The log has \(pages) pages and cannot be written back: \(reason). It is tried again "
                    + "at \(pages * 2).")
        }
    }

    /// The multiple of its usual length at which the log is truncated instead of restarted.
    private static var longLog: Int { 4 }
    /// The time in seconds for which saves wait for readers, and below it the longest such time.
    private static var usualWait: Double { 0.1 }
    private static var longestWait: Double { 1 }
}

extension SQLiteConnection {
    /// Writes the log back into the file, never as a PASSIVE checkpoint: see the busy handler.
    ///
    /// - Parameter wait: the longest time in seconds to wait for locks.
    /// - Throws: a busy error if another process writes the log back, or if a reader or writer
    ///   keeps its lock too long.
    func checkpoint(mode: Int32, waiting wait: Double = 0.1) throws {
        guard let file else { return }
        guard let lock = CheckpointLock(path: file.path) else {
            throw SQLiteFailure(
                code: SQLITE_BUSY, message: "another process is writing the log back")
        }
        try checkpoint(mode: mode, waiting: wait, holding: lock)
    }

    /// Writes the log of a renamed file back into it.
    ///
    /// SQLite itself does not: it leaves the log alone if the file is no longer where it was
    /// opened. The lock is on the log, to which the old name still leads, unless another process
    /// has removed it. In that case, this connection is the last that uses the log.
    func writeBackRenamed() throws {
        try prepare()
        try checkpoint(mode: SQLITE_CHECKPOINT_TRUNCATE)
    }

    private func checkpoint(
        mode: Int32, waiting wait: Double, holding lock: borrowing CheckpointLock
    ) throws {
        let name = mode == SQLITE_CHECKPOINT_TRUNCATE ? "TRUNCATE" : "RESTART"
        options.observer?(.checkpoint(connection: number, mode: name))
        watch.debugger?.tell(
            .checkpoint, "checkpoint (\(name)) of \(logPages.load(ordering: .relaxed)) pages")
        busy.isCheckpointing = true
        defer { busy.isCheckpointing = false }
        // Saves wait during a checkpoint. After this time, the checkpoint is tried again later.
        let end = ContinuousClock.now + .seconds(min(options.busyTimeout, wait))
        var code = tryCheckpoint(mode: mode)
        while Self.isMetByOthers(code) && ContinuousClock.now < end {
            CurrentThread.sleep(microseconds: Self.checkpointNap)
            code = tryCheckpoint(mode: mode)
        }
        guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle: handle) }
        logPages.store(0, ordering: .relaxed)
    }

    /// Returns true if readers or writers have prevented the checkpoint.
    ///
    /// SQLite reports busy, although the handler has interrupted it, in two cases: everything is
    /// written back but the log cannot be restarted, or nothing that could be written back is left.
    private static func isMetByOthers(_ code: Int32) -> Bool {
        code == SQLITE_INTERRUPT || code & 0xFF == SQLITE_BUSY
    }

    private func tryCheckpoint(mode: Int32) -> Int32 {
        var pages: Int32 = 0
        return sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, nil)
    }
}
