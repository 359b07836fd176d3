import CSQLite
import RecordStackModel

extension SQLiteFailure {
    /// Returns the error for a failed COMMIT.
    func errorAtCommit() -> RecordStackError {
        // Any other failure, such as a full disk, means that the end of the save was not written.
        guard primaryCode == SQLITE_IOERR else { return error() }
        let words = words
        return RecordStackError(.outcomeUnknown, cause: self) { operation in
            let (what, advice) = Self.unknown(operation)
            return
                "Writing the end of \(what) failed: it may be in the store or not. \(advice) \(words)"
        }
    }

    private static func unknown(
        _ operation: RecordStackError.Operation
    ) -> (what: String, advice: String) {
        switch operation {
        case .save, .push: ("the save", "Save again, which finds out first.")
        case .block:
            (
                "the block's save",
                "The next save of the stack finds out. The block's context is gone: run the block again only if it "
                    + "looks first whether its work is done."
            )
        case .batch:
            (
                "the transaction",
                "The next save of the stack finds out. Look at what is stored before the call is made again."
            )
        }
    }

    /// Returns the error for a failure to find out the outcome of an earlier save.
    func errorOfResolving() -> RecordStackError {
        if primaryCode == SQLITE_BUSY { return error() }
        return RecordStackError(
            .outcomeUnknown,
            "Whether an earlier save of this stack is in the store cannot be found out yet, and "
                + "nothing else is written before. Look at the disk and try again. \(words)",
            cause: self)
    }

    /// The reason why the log cannot be written back.
    var reasonAgainstCheckpoint: String {
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_INTERRUPT:
            "somebody reads, writes or writes it back all the time"
        default: "the disk or the store fails. \(words)"
        }
    }
}
