import CSQLite
import RecordStackPlatform
import RecordStackModel
import Synchronization

extension SQLiteConnection {
    /// Waits for other connections' locks, in growing naps, up to the busy time-out.
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

    /// A checkpoint waits for those who read what is older than the last save, by the read marks in which they
    /// are noted; while it waits, readers of the last save may take such a mark, one after another, and it would wait
    /// for them as well. So it does not wait for long, and is begun anew: it looks anew who is to be waited for.
    private func napInCheckpoint(count: Int) -> Bool {
        if count < Self.checkpointNaps {
            CurrentThread.sleep(microseconds: Self.checkpointNap)
            return true
        }
        // One that gives up waiting would go on as a PASSIVE one, without the lock that keeps other
        // connections from starting the log anew. Interrupted, it ends.
        sqlite3_interrupt(handle)
        return false
    }

    private static var checkpointNaps: Int { 4 }
    /// In microseconds: most reads are over by then.
    static var checkpointNap: UInt32 { 100 }

    /// Keeps the number of pages in the log, which says when to write it back.
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
