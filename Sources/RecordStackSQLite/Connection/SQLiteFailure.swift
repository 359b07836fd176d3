import CSQLite
import RecordStackPlatform
import RecordStackModel

/// SQLite's report of a failed call.
struct SQLiteFailure: Error {
    /// The extended result code.
    let code: Int32
    let message: String
    /// The system's reason, if a system call failed.
    let systemError: SystemError?

    init(code: Int32, message: String) {
        self.code = code
        self.message = message
        systemError = nil
    }

    init(code: Int32, handle: OpaquePointer?) {
        self.code = code
        message = String(cString: handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
        let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF)
        let number = isOfSystem ? handle.map { sqlite3_system_errno($0) } ?? 0 : 0
        systemError = number == 0 ? nil : SystemError(code: number)
    }

    /// The messages of SQLite and the system.
    var words: String {
        let system =
            systemError.map { " The system says: \($0.message)." } ?? ""
        return "SQLite says: \(message) (\(code)).\(system)"
    }

    /// Whether the disk is full.
    ///
    /// SQLite recognizes a full disk only on writes. Otherwise, it reports an I/O error.
    var isOfFullDisk: Bool {
        primaryCode == SQLITE_FULL
            || primaryCode == SQLITE_IOERR && systemError?.isOfFullDisk == true
    }

    var primaryCode: Int32 { code & 0xFF }

    /// Returns true if a message such as `UNIQUE constraint failed: Person.email` is about columns.
    ///
    /// The columns are compared with the message and not parsed from it, because names may contain
    /// periods and commas.
    func isAbout(_ columns: [String], of table: String) -> Bool {
        let list = columns.map { "\(table).\($0)" }.joined(separator: ", ")
        let end = ": \(list)".utf8
        return message.utf8.suffix(end.count).elementsEqual(end)
    }

    /// Returns the error for the program, without knowledge of the operation that failed.
    func error() -> RecordStackError {
        let (kind, advice) = classified
        return RecordStackError(kind, "\(advice) \(words)", cause: self)
    }

    /// Returns the error for a failure to open a file.
    func error(opening path: String) -> RecordStackError {
        if code == ResultCode.readOnlyRollback {
            return RecordStackError(
                .cannotOpen,
                "The store at \(path) has a journal: a program was stopped while it changed the store, and "
                    + "reading takes the change back first, which writes. Open the store once without "
                    + "isReadOnly. \(words)", cause: self)
        }
        switch primaryCode {
        case SQLITE_CANTOPEN, SQLITE_PERM: break
        // The extended codes of this one are about files beside it that cannot be created.
        case SQLITE_READONLY where code != SQLITE_READONLY: break
        case SQLITE_ERROR, SQLITE_READONLY:
            // The requests during opening are always the same and correct, so the file
            // must be damaged.
            return RecordStackError(
                .corrupt,
                "The store at \(path) is damaged, or another program has changed it. Restore it "
                    + "from a backup. \(words)", cause: self)
        default:
            let (kind, advice) = classified
            return RecordStackError(
                kind, "Opening \(path): \(advice) \(words)", cause: self)
        }
        return RecordStackError(
            .cannotOpen,
            "The store at \(path) cannot be opened. Check that its folder exists and "
                + "may be written to. \(words)", cause: self)
    }

    /// Whether a table or column is missing that existed when the store was opened.
    private var isMissingPart: Bool {
        primaryCode == SQLITE_ERROR
            && (message.hasPrefix("no such table") || message.hasPrefix("no such column")
                || message.contains(" has no column named "))
    }

    /// Whether a statement exceeds one of SQLite's limits.
    ///
    /// The limits depend on how the library was built, and only its parser knows which of them a
    /// filter reaches.
    private var isOfLimit: Bool {
        primaryCode == SQLITE_ERROR
            && (message.hasPrefix("parser stack overflow")
                || message.hasPrefix("Expression tree is too large")
                || message.hasPrefix("too many SQL variables")
                || message.hasSuffix("tables in a join"))
    }

    private var classified: (RecordStackError.Code, String) {
        if isOfLimit {
            return (
                .misuse,
                "The request is deeper or longer than SQLite takes: its parser keeps 100 words in mind "
                    + "(all, none and counts of members about 10 deep, functions about 30), a "
                    + "calculation has 1,000 steps, a join 64 tables. Ask in two requests, with the "
                    + "IDs that the first found in the second."
            )
        }
        if isMissingPart {
            return (
                .corrupt,
                "The store's tables are not as they were made: it is damaged, or another program has "
                    + "changed them. Restore it from a backup."
            )
        }
        if isOfFullDisk {
            return (
                .full,
                "The disk or the store is full. Free some room and try again."
            )
        }
        return switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED:
            (.busy, "Another process holds the store. Try again, or allow a longer busy time-out.")
        case SQLITE_IOERR:
            (
                .io,
                "Reading or writing the store failed. Look at the disk and try again."
            )
        case SQLITE_CORRUPT: (.corrupt, "The store is damaged. Restore it from a backup.")
        case SQLITE_NOTADB:
            (
                .notADatabase,
                "The file is not a SQLite database, or its header is damaged. Choose another file, or "
                    + "restore it from a backup."
            )
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            (.readOnly, "The store cannot be written to. Check the permissions of the file.")
        case SQLITE_CANTOPEN:
            (
                .cannotOpen,
                "A file of the store cannot be opened. Check the permissions of its folder, and how "
                    + "many files the process may have open, and try again."
            )
        case SQLITE_CONSTRAINT: (.constraint, "The store refuses the change.")
        case SQLITE_TOOBIG: (.store, "A value is too large for the store.")
        default: (.store, "The store failed.")
        }
    }
}

extension SQLiteFailure: CustomStringConvertible {
    /// The text that messages quote, so that an error with this cause does not repeat itself.
    var description: String { words }
}
