import FoundationEssentials
import Glibc
import RecordStackModel

/// The location of a backup: written beside it first, and there in one step when it is complete.
struct BackupTarget {
    let path: String
    let temporaryPath: String
    private let replacing: Bool

    init(path: String, replacing: Bool, source: StoreFile?) throws {
        self.path = try StorePath.resolve(path)
        self.replacing = replacing
        let folder = StoreFile.folder(of: self.path)
        // Bytes, of which a name may have 255; a character may have dozens.
        let name = self.path.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring().utf8
        let start = ".\(String(decoding: name.prefix(60), as: UTF8.self))."
        temporaryPath = "\(folder)/\(start)\(getpid())-\(UUID().uuidString.prefix(8)).backup"
        try check(source)
        Self.removeLeftovers(in: folder, start: start)
        if access(folder, W_OK | X_OK) != 0 {
            throw StorePath.cannotOpen(
                self.path, "the permission to write to the folder \(folder) is missing",
                "Grant it, or choose another folder for the backup.")
        }
    }

    /// Removes what backups to the same location have left whose processes were killed.
    private static func removeLeftovers(in folder: String, start: String) {
        // A folder that cannot be listed may be written to all the same.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(start) && name.contains(".backup") {
            let process = name.dropFirst(start.count).prefix { $0 != "-" }
            guard let id = pid_t(process), id > 0, kill(id, 0) != 0, errno == ESRCH else {
                continue
            }
            unlink("\(folder)/\(name)")
        }
    }

    private func check(_ source: StoreFile?) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { return try checkLog() }
        if let source, FileIdentity(status) == source.identity {
            throw RecordStackError(
                .misuse, "\(path) is the store itself. Choose another file for the backup.")
        }
        if status.st_mode & S_IFMT != S_IFREG {
            throw StorePath.cannotOpen(
                path, "it is no regular file", "Choose another file for the backup.")
        }
        if !replacing { throw fileExists }
        try checkLog()
    }

    /// A log beside the path would be read as that of the new file, and destroy it.
    private func checkLog() throws {
        for suffix in ["-wal", "-journal"] where access(path + suffix, F_OK) == 0 {
            throw RecordStackError(
                .busy,
                "There is a log at \(path)\(suffix): a store is open there, or was not closed. Close "
                    + "it, or destroy it with ContextStack.destroyStore(at:), or choose another "
                    + "file for the backup.")
        }
    }

    private var fileExists: RecordStackError {
        RecordStackError(
            .fileExists,
            "There is a file at \(path). Choose another one for the backup, or say replacing: true."
        )
    }

    /// Makes the file be there, complete and on the disk.
    func publish() throws {
        try Self.flush(temporaryPath)
        try checkLog()
        if replacing {
            try require(rename(temporaryPath, path))
        } else if link(temporaryPath, path) == 0 {
            // A link, unlike a renaming, never takes the place of a file that came meanwhile.
            unlink(temporaryPath)
        } else if errno == EEXIST {
            throw fileExists
        } else {
            // A file system without links.
            if access(path, F_OK) == 0 { throw fileExists }
            try require(rename(temporaryPath, path))
        }
        try Self.flush(StoreFile.folder(of: path))
    }

    func removeTemporaryFiles() {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(temporaryPath + suffix) }
    }

    /// No connection to the file is open any more, so that no lock is lost.
    private static func flush(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw failure("opening \(path)") }
        defer { close(descriptor) }
        // Some file systems have nothing to flush for a folder, and say so.
        if fsync(descriptor) != 0 && errno != EINVAL {
            throw failure("writing \(path) to the disk")
        }
    }

    private func require(_ code: Int32) throws {
        if code != 0 { throw Self.failure("moving the backup to \(path)") }
    }

    private static func failure(_ what: String) -> RecordStackError {
        let reason = errno
        return RecordStackError(
            reason == ENOSPC || reason == EDQUOT ? .full : .io,
            "The backup failed at \(what): \(String(cString: strerror(reason))). Nothing is left of "
                + "it. Mend that and try again.")
    }
}
