import CSQLite
import RecordStackModel
import RecordStackPlatform

/// The file of an open store, as it was found.
struct StoreFile: Sendable {
    /// How connections to it are opened.
    enum Access: Sendable, Hashable {
        case readWrite
        case readOnly
        /// Read without locks, as the file was then: nobody can write to it whom this process could
        /// agree with, because it can make no file beside it.
        case frozen(FileState)
    }

    let path: String
    let access: Access
    /// The file that the path led to; nil until it was made.
    private(set) var identity: FileIdentity?
    /// The same, held open without being opened.
    private var held: PathHandle?
    /// The log and its index, as they were when the store had been opened for writing; none elsewhere.
    private var companions: [Companion] = []

    private struct Companion {
        let path: String
        let identity: FileIdentity
    }

    init(path: String, access: Access) {
        self.path = path
        self.access = access
    }

    /// What SQLite opens, and how.
    func opening(writes: Bool) -> (name: String, flags: Int32) {
        switch access {
        case .readWrite where writes: (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        case .readWrite, .readOnly: (path, SQLITE_OPEN_READONLY)
        case .frozen: (StorePath.immutableURI(of: path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        }
    }

    /// - Throws: an error where the path leads elsewhere by now.
    func checkLocation() throws {
        if FileIdentity(path: path) != identity { throw RecordStackError.moved(path) }
    }

    /// Remembers which file the path leads to.
    mutating func rememberFile() {
        identity = FileIdentity(path: path)
        held = PathHandle(path: path)
    }

    /// Looks whether the file still has a name, which takes a fifth of ``checkLocation()``: what is
    /// written to a file without one is lost. One that was only renamed keeps what is written, and is
    /// noticed by the other a moment later.
    func checkExistence() throws {
        guard let held else { return try checkLocation() }
        if !held.hasName { throw RecordStackError.moved(path) }
    }

    /// Whether the file is still there, but not where it was opened. True of a removed file on a system that cannot hold
    /// it: what is written back to it does no harm.
    var isRenamed: Bool { held?.hasName != false && FileIdentity(path: path) != identity }

    /// Whether nothing leads to the file any more. False on a system that cannot hold it.
    var isGone: Bool { held?.hasName == false }

    /// Removes the log and its index, unless the path leads to others by now.
    func removeCompanions() {
        for companion in companions where FileIdentity(path: companion.path) == companion.identity {
            try? FileSystem.remove(companion.path)
        }
    }

    /// Remembers the files beside it. They stay the same as long as a connection is open that has
    /// used them: SQLite removes them only when the last one closes.
    mutating func rememberCompanions() {
        companions = ["-wal", "-shm"].compactMap { suffix in
            FileIdentity(path: path + suffix).map { Companion(path: path + suffix, identity: $0) }
        }
    }

    /// - Throws: an error where the log or its index was taken away: others would not see what is
    ///   written there, nor agree with this process on locks.
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

    /// - Throws: an error where a file that is read without locks has changed.
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

    /// Whether there is a log with something in it.
    static func hasLog(_ path: String) -> Bool {
        ((try? FileStatus(of: path + "-wal"))?.size ?? 0) > 0
    }

    /// How a store is opened that is only read.
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
