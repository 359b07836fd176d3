import CSQLite
import Glibc
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
        if count == 0 { waited = 0 }
        // A checkpoint is tried again after other saves, which would have to wait with it.
        let limit = isCheckpointing ? min(options.busyTimeout, 0.1) : options.busyTimeout
        guard Double(waited) < limit * 1_000_000 else {
            // A checkpoint that gives up waiting would go on as a PASSIVE one, without the lock
            // that keeps other connections from starting the log anew. Interrupted, it ends.
            if isCheckpointing { sqlite3_interrupt(handle) }
            return false
        }
        let pause = min(200 << min(count, 8), 25_000)
        waited += pause
        usleep(UInt32(pause))
        return true
    }

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
