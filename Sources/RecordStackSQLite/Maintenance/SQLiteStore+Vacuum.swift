import CSQLite
import RecordStackModel

extension SQLiteStore {
    package func vacuum() throws {
        try writing { connection in
            try connection.reporting {
                // SQLite's temporary copy may be larger than memory.
                try connection.execute("PRAGMA temp_store=FILE")
                defer { try? connection.execute("PRAGMA temp_store=MEMORY") }
                try connection.execute("VACUUM")
            }
            // The rewritten pages are in the log, and this checkpoint shortens the file. If a
            // reader prevents it, a later checkpoint does so.
            if file != nil {
                try? withoutStanding {
                    try connection.checkpoint(mode: SQLITE_CHECKPOINT_TRUNCATE)
                }
            }
        }
    }
}
