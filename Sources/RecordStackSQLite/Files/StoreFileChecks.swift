import RecordStackModel
import RecordStackPlatform

/// Checks of a file before SQLite opens it.
struct StoreFileChecks {
    let path: String
    let isReadOnly: Bool

    /// Checks the file.
    ///
    /// - Returns: true if the file exists and is not empty.
    func check() throws -> Bool {
        try checkCompanions()
        guard let status = try? FileStatus(of: path) else {
            if isReadOnly {
                throw cannotOpen(
                    "there is no file", "A stack makes one if it is opened without isReadOnly.")
            }
            try checkFolder()
            try checkLeftLog()
            return false
        }
        try checkKind(status)
        try checkPermission()
        if !isReadOnly {
            try checkFolder()
            try checkNames(status)
        }
        // SQLite takes a file that is shorter than the smallest page for an empty one, and
        // would overwrite it.
        if (1..<512).contains(status.size) {
            throw RecordStackError(
                .notADatabase,
                "The file at \(path) is not a SQLite database. Choose another one, or remove it.")
        }
        if isReadOnly && status.size == 0 {
            throw cannotOpen(
                "the file is empty", "Open it once without isReadOnly, which makes it a store.")
        }
        if status.size == 0 { try checkLeftLog() }
        return status.size > 0
    }

    /// Checks for a log without its file.
    ///
    /// SQLite removes such a log, with all saves that only the log has.
    private func checkLeftLog() throws {
        guard StoreFile.hasLog(path) else { return }
        throw RecordStackError(
            .storeMoved,
            "There is a log at \(path)-wal, and its file is not at \(path): the file was renamed or removed while it was "
                + "in use, and the log may have saves that the file has not. Put the file back, or, if it is gone for "
                + "good, remove what is left of the store with destroyStore(at:), and open it again."
        )
    }

    /// Checks that the names of SQLite's companion files belong to regular files.
    ///
    /// SQLite takes any file with such a name for its own. A directory would fail differently in
    /// each operation, and a pipe would block the program forever.
    private func checkCompanions() throws {
        for suffix in ["-wal", "-shm", "-journal"] {
            guard let entry = try? FileStatus(of: path + suffix, followsLinks: false) else {
                continue
            }
            // For a dangling link, the kind remains that of a link.
            let status = entry.kind == .link ? try? FileStatus(of: path + suffix) : entry
            if status?.kind == .regular { continue }
            throw cannotOpen(
                "SQLite keeps a file of its own at \(path)\(suffix), and what is there is no regular file",
                "Move it elsewhere.")
        }
    }

    private func checkKind(_ status: FileStatus) throws {
        switch status.kind {
        case .regular: return
        case .directory:
            throw cannotOpen("it is a directory", "Give it the name of a file in it.")
        case .link, .other:
            throw cannotOpen("it is a device, a pipe or a socket", "Choose a regular file.")
        }
    }

    private func checkPermission() throws {
        if FileSystem.allows(isReadOnly ? .read : [.read, .write], path) { return }
        if !isReadOnly && FileSystem.allows(.read, path) {
            throw cannotOpen(
                "the permission to write it is missing",
                "Grant it, or open the store with isReadOnly.")
        }
        throw cannotOpen("the permission to read it is missing", "Grant it.")
    }

    /// Checks the folder, in which SQLite keeps two more files.
    private func checkFolder() throws {
        let folder = StoreFile.folder(of: path)
        if FileSystem.allows([.write, .search], folder) { return }
        throw cannotOpen(
            "the permission to write to the folder \(folder) is missing, where its log is kept as "
                + "well",
            "Grant it, choose another folder, or open the store with isReadOnly.")
    }

    /// Checks that the file has only one name.
    ///
    /// Each name would have a separate log, and saves in the log of one name would be missing
    /// under the other.
    private func checkNames(_ status: FileStatus) throws {
        if status.linkCount < 2 { return }
        throw cannotOpen(
            "the file has \(status.linkCount) names (hard links), and its log would be found under one "
                + "of them only", "Remove the others, or make a copy of the file and open that.")
    }

    private func cannotOpen(_ reason: String, _ remedy: String) -> RecordStackError {
        StorePath.cannotOpen(path, reason, remedy)
    }
}
