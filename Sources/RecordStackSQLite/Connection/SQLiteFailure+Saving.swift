import CSQLite
import RecordStackModel

extension SQLiteFailure {
    /// The failure of a save's COMMIT.
    func errorAtCommit() -> RecordStackError {
        // Where there is no room for the end of a save, the end is not there.
        guard primaryCode == SQLITE_IOERR else { return error() }
        return RecordStackError(
            .outcomeUnknown,
            "Writing the end of the save failed: it may be in the store or not. Save again, which finds "
                + "out first. \(words)", cause: self)
    }

    /// The failure to find out what became of an earlier save.
    func errorOfSettling() -> RecordStackError {
        if primaryCode == SQLITE_BUSY { return error() }
        return RecordStackError(
            .outcomeUnknown,
            "Whether an earlier save of this stack is in the store cannot be found out yet, and "
                + "nothing else is written before. Look at the disk and save again. \(words)",
            cause: self)
    }

    /// Why the log cannot be written back.
    var reasonAgainstCheckpoint: String {
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_INTERRUPT:
            "somebody reads, writes or writes it back all the time"
        default: "the disk or the store fails. \(words)"
        }
    }
}
