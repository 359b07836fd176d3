import CSQLite
import RecordStackPlatform
import RecordStackModel
import Synchronization

extension SQLiteConnection {
    /// Waits for other connections' locks, in growing pauses, up to the busy time-out.
    func installBusyHandler() {
        // The connection owns the handle, so it outlives every call of the handler.
        let owner = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_busy_handler(
            handle,
            { owner, count in
                guard let owner else { return 0 }
                let connection = Unmanaged<SQLiteConnection>.fromOpaque(owner)
                    .takeUnretainedValue()
                return connection.nap(count: Int(count)) ? 1 : 0
            }, owner)
    }

    private func nap(count: Int) -> Bool {
        if busy.isCheckpointing { return napInCheckpoint(count: count) }
        if count == 0 { busy.waited = 0 }
        guard Double(busy.waited) < options.busyTimeout * 1_000_000 else { return false }
        let pause = min(200 << min(count, 8), 25_000)
        busy.waited += pause
        CurrentThread.sleep(microseconds: UInt32(pause))
        return true
    }

    /// Waits for a checkpoint's locks, for a short time only.
    ///
    /// A checkpoint waits for the read marks of readers that read an older state than the last
    /// save. While it waits, readers of the last save may take such a mark, one after another, and
    /// the checkpoint would wait for them as well. It therefore ends after a short time and starts
    /// again. The new attempt waits only for the readers of older states at that time.
    private func napInCheckpoint(count: Int) -> Bool {
        if count < Self.checkpointNaps {
            CurrentThread.sleep(microseconds: Self.checkpointNap)
            return true
        }
        // If the handler gave up, the checkpoint would continue as a PASSIVE one, without the lock
        // that keeps other connections from restarting the log. The interrupt ends it instead.
        sqlite3_interrupt(handle)
        return false
    }

    private static var checkpointNaps: Int { 4 }
    /// The pause in microseconds. Most reads end within this time.
    static var checkpointNap: UInt32 { 100 }

    /// Records the number of pages in the log, which determines the time of the next checkpoint.
    func observeLog() {
        // The connection owns the handle, so it outlives every call of the hook.
        let owner = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            handle,
            { owner, _, _, pages in
                guard let owner else { return SQLITE_OK }
                Unmanaged<SQLiteConnection>.fromOpaque(owner).takeUnretainedValue()
                    .logPages.store(Int(pages), ordering: .relaxed)
                return SQLITE_OK
            }, owner)
    }
}
