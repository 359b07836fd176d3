import CSQLite
import RecordStackPlatform
import RecordStackModel
import Synchronization

extension SQLiteStore {
    package var needsCheckpoint: Bool {
        location != .memory
            && writer.logPages.load(ordering: .relaxed) >= nextCheckpoint.load(ordering: .relaxed)
    }

    /// Has the disk take the log in, for half the time that writing it back takes. Where that fails,
    /// SQLite does the same again and reports it.
    package func prepareCheckpoint() {
        guard let file, process.isOwn else { return }
        // Locks are of other files, so closing this one again lets none of them go.
        guard let log = try? OpenFile(file.path + "-wal", .reading) else { return }
        try? log.syncData()
    }

    package func checkpoint() {
        guard needsCheckpoint, process.isOwn else { return }
        let pages = writer.logPages.load(ordering: .relaxed)
        do {
            // A log that has become long gives its room back, and one that could not be written back. The next save
            // begins any other one anew.
            let delays = nextCheckpoint.load(ordering: .relaxed) / options.checkpointPages
            let isLong = delays > 1 || pages >= options.checkpointPages * Self.longLog
            try withoutStanding {
                try writer.checkpoint(
                    mode: isLong ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_RESTART,
                    waiting: min(Self.usualWait * Double(delays), Self.longestWait))
            }
            nextCheckpoint.store(options.checkpointPages, ordering: .relaxed)
        } catch {
            // Somebody reads or writes who does not make room, or the disk fails. What is not written back now is when
            // the log is twice as long; until then saves do not wait for it, and then they wait twice as long, so that
            // reads which overlap do not let it grow for ever.
            nextCheckpoint.store(max(pages, options.checkpointPages) * 2, ordering: .relaxed)
            options.observer?(.logGrowth(pages: pages))
            let reason = (error as? SQLiteFailure)?.reasonAgainstCheckpoint ?? "\(error)"
            writer.watch.debugger?.tell(
                .logGrowth,
                "The log has \(pages) pages and cannot be written back: \(reason). It is tried again "
                    + "at \(pages * 2).")
        }
    }

    /// From how many times its usual length on a log is cut off instead of used anew.
    private static var longLog: Int { 4 }
    /// For how many seconds saves wait for those who read, and for how many at most.
    private static var usualWait: Double { 0.1 }
    private static var longestWait: Double { 1 }
}

extension SQLiteConnection {
    /// Writes the log back into the file. Never as a PASSIVE checkpoint: see the busy handler.
    /// - Throws: busy where another process does so at the moment, or somebody reads or writes who does
    ///   not make room.
    /// - Parameter wait: for how many seconds it makes room, at most.
    func checkpoint(mode: Int32, waiting wait: Double = 0.1) throws {
        guard let file else { return }
        guard let lock = CheckpointLock(path: file.path) else {
            throw SQLiteFailure(
                code: SQLITE_BUSY, message: "another process is writing the log back")
        }
        try checkpoint(mode: mode, waiting: wait, holding: lock)
    }

    /// Writes the log of a renamed file back into it. SQLite itself would not: it leaves the log of a file that is not
    /// where it was opened alone.
    ///
    /// The lock is on the log, which the old name still leads to, unless somebody has removed it: then this connection
    /// is the last to use it.
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
        // Saves wait with it; after so long it is tried again later.
        let end = ContinuousClock.now + .seconds(min(options.busyTimeout, wait))
        var code = tryCheckpoint(mode: mode)
        while Self.isMetByOthers(code) && ContinuousClock.now < end {
            CurrentThread.sleep(microseconds: Self.checkpointNap)
            code = tryCheckpoint(mode: mode)
        }
        guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle: handle) }
        logPages.store(0, ordering: .relaxed)
    }

    /// Where everything is written back but the log cannot be begun anew, or nothing that could be written back is left,
    /// SQLite says that it is busy, although the handler has interrupted it.
    private static func isMetByOthers(_ code: Int32) -> Bool {
        code == SQLITE_INTERRUPT || code & 0xFF == SQLITE_BUSY
    }

    private func tryCheckpoint(mode: Int32) -> Int32 {
        var pages: Int32 = 0
        return sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, nil)
    }
}
