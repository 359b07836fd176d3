import CSQLite
import RecordStackModel

extension SQLiteStore {
    package func vacuum() throws {
        try writing { connection in
            try connection.reporting {
                // The copy that SQLite makes on the way may be larger than memory.
                try connection.execute("PRAGMA temp_store=FILE")
                defer { try? connection.execute("PRAGMA temp_store=MEMORY") }
                try connection.execute("VACUUM")
            }
            // What was written anew stands in the log, and the file becomes shorter with this. Where
            // somebody reads, that happens when the log is next written back.
            if file != nil {
                try? withoutStanding {
                    try connection.checkpoint(mode: SQLITE_CHECKPOINT_TRUNCATE)
                }
            }
        }
    }
}
