import CSQLite
import RecordStackModel
import RecordStackPlatform

/// The file of an open store, as it was found.
struct StoreFile: Sendable {
    /// The way in which connections to the file are opened.
    enum Access: Sendable, Hashable {
        case readWrite
        case readOnly
        /// Reads the file without locks, in the state that it had at the opening.
        ///
        /// The process cannot create files beside it, and so cannot coordinate with programs
        /// that write to it.
        case frozen(FileState)
    }

    let path: String
    let access: Access
    /// The file to which the path led; nil until the file was created.
    private(set) var identity: FileIdentity?
    /// A handle to the same file that does not open it.
    private var held: PathHandle?
    /// The log and its index when the store was opened for writing; empty for other access.
    private var companions: [Companion] = []

    private struct Companion {
        let path: String
        let identity: FileIdentity
    }

    init(path: String, access: Access) {
        self.path = path
        self.access = access
    }

    /// Returns the name that SQLite opens, and the flags.
    func opening(writes: Bool) -> (name: String, flags: Int32) {
        switch access {
        case .readWrite where writes: (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        case .readWrite, .readOnly: (path, SQLITE_OPEN_READONLY)
        case .frozen: (StorePath.immutableURI(of: path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        }
    }

    /// Checks the path.
    ///
    /// - Throws: an error if the path leads to another file by now.
    func checkLocation() throws {
        if FileIdentity(path: path) != identity { throw RecordStackError.moved(path) }
    }

    /// Records the file to which the path leads.
    mutating func rememberFile() {
        identity = FileIdentity(path: path)
        held = PathHandle(path: path)
    }

    /// Checks that the file still has a name, because writes to a file without a name are lost.
    ///
    /// This takes a fifth of the time of ``checkLocation()``. A file that was only renamed keeps
    /// what is written, and ``checkLocation()`` finds it a moment later.
    func checkExistence() throws {
        guard let held else { return try checkLocation() }
        if !held.hasName { throw RecordStackError.moved(path) }
    }

    /// Whether the file still exists, but not where it was opened.
    ///
    /// On a system without file handles, this is also true of a removed file. Writing its log
    /// back does no harm.
    var isRenamed: Bool { held?.hasName != false && FileIdentity(path: path) != identity }

    /// Whether no path leads to the file. False on a system without file handles.
    var isGone: Bool { held?.hasName == false }

    /// Removes the log and its index, unless their paths lead to other files by now.
    func removeCompanions() {
        for companion in companions where FileIdentity(path: companion.path) == companion.identity {
            try? FileSystem.remove(companion.path)
        }
    }

    /// Records the files beside the store.
    ///
    /// They stay the same as long as a connection that has used them is open. SQLite removes them
    /// only when the last one closes.
    mutating func rememberCompanions() {
        companions = ["-wal", "-shm"].compactMap { suffix in
            FileIdentity(path: path + suffix).map { Companion(path: path + suffix, identity: $0) }
        }
    }

    /// Checks the log and its index.
    ///
    /// - Throws: an error if one of them was removed or replaced. Other processes would not see
    ///   what is written there, and would not share locks with this process.
    func checkCompanions() throws {
        for companion in companions where FileIdentity(path: companion.path) != companion.identity {
            throw RecordStackError(
                .storeMoved,
                "\(companion.path), which belongs to the store, was removed or replaced while the store "
                    + "was open. What would be saved now might be lost. Close this stack, which "
                    + "writes back what it has saved if nobody else uses the store, and make a new "
                    + "one.")
        }
    }

    /// Checks a file that is read without locks.
    ///
    /// - Throws: an error if the file has changed.
    func checkFrozen() throws {
        guard case .frozen(let state) = access else { return }
        if FileState(path: path) != state || Self.hasLog(path) {
            throw RecordStackError(
                .busy,
                "Another process has begun to write to the store at \(path), which this stack reads "
                    + "without locks, because it may not make files in its folder. Make a new stack "
                    + "to read what is there now.")
        }
    }

    /// Returns true if there is a log that is not empty.
    static func hasLog(_ path: String) -> Bool {
        ((try? FileStatus(of: path + "-wal"))?.size ?? 0) > 0
    }

    /// Returns the access for a store that is only read.
    static func readingAccess(_ path: String) throws -> Access {
        let folder = folder(of: path)
        let hasFiles = ["-wal", "-shm"].allSatisfy { FileSystem.exists(path + $0) }
        if hasFiles || FileSystem.allows([.write, .search], folder) { return .readOnly }
        if hasLog(path) {
            throw StorePath.cannotOpen(
                path,
                "its log, \(path)-wal, has saves that the file has not, and reading them needs a file "
                    + "beside it, for which the permission is missing",
                "Open and close the store once as somebody who may write to \(folder), or copy the "
                    + "file and its log to a folder of yours.")
        }
        guard let state = FileState(path: path) else { throw RecordStackError.moved(path) }
        return .frozen(state)
    }

    static func folder(of path: String) -> String {
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
        return folder.isEmpty ? "/" : folder
    }
}

extension RecordStackError {
    static func moved(_ path: String) -> RecordStackError {
        RecordStackError(
            .storeMoved,
            "The file at \(path) was removed, renamed or replaced while the store was open. What would "
                + "be saved now would be lost with it. Put the file back, or close this stack and make "
                + "a new one.")
    }

    static func readOnlyStore(_ path: String) -> RecordStackError {
        RecordStackError(
            .readOnly,
            "The stack reads the store at \(path) and cannot write to it. Make a stack without "
                + "isReadOnly to save and to create objects.")
    }
}
