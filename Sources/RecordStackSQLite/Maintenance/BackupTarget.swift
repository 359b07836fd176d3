import FoundationEssentials
import RecordStackModel
import RecordStackPlatform

/// The location of a backup, which is written to a temporary file and then moved there atomically.
struct BackupTarget {
    let path: String
    let temporaryPath: String
    private let replacing: Bool

    init(path: String, replacing: Bool, source: StoreFile?) throws {
        self.path = try StorePath.resolve(path)
        self.replacing = replacing
        let folder = StoreFile.folder(of: self.path)
        // The limit is in bytes: a name may have 255 of them, and a single character
        // may have dozens.
        let name = self.path.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring().utf8
        let start = ".\(String(decoding: name.prefix(60), as: UTF8.self))."
        temporaryPath =
            "\(folder)/\(start)\(CurrentProcess.id)-\(UUID().uuidString.prefix(8)).backup"
        try check(source)
        Self.removeLeftovers(in: folder, start: start)
        if !FileSystem.allows([.write, .search], folder) {
            throw StorePath.cannotOpen(
                self.path, "the permission to write to the folder \(folder) is missing",
                "Grant it, or choose another folder for the backup.")
        }
    }

    /// Removes the files of backups to the same location whose processes were killed.
    private static func removeLeftovers(in folder: String, start: String) {
        // A folder that cannot be listed may still be writable.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(start) && name.contains(".backup") {
            let process = name.dropFirst(start.count).prefix { $0 != "-" }
            guard let id = Int32(process), id > 0, !CurrentProcess.isRunning(id) else { continue }
            try? FileSystem.remove("\(folder)/\(name)")
        }
    }

    private func check(_ source: StoreFile?) throws {
        guard let status = try? FileStatus(of: path) else { return try checkLog() }
        if let source, FileIdentity(status) == source.identity {
            throw RecordStackError(
                .misuse, "\(path) is the store itself. Choose another file for the backup.")
        }
        if status.kind != .regular {
            throw StorePath.cannotOpen(
                path, "it is no regular file", "Choose another file for the backup.")
        }
        if !replacing { throw fileExists }
        try checkLog()
    }

    /// Checks for a log beside the path. SQLite would apply it to the new file and destroy it.
    private func checkLog() throws {
        for suffix in ["-wal", "-journal"] where FileSystem.exists(path + suffix) {
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

    /// Moves the complete file to its location, and waits until it is on the disk.
    func publish() throws {
        try Self.flush(temporaryPath)
        try checkLog()
        if replacing { try move() } else { try moveToNewName() }
        try Self.flush(StoreFile.folder(of: path))
    }

    private func move() throws {
        try Self.reporting("moving the backup to \(path)") { () throws(SystemError) in
            try FileSystem.move(temporaryPath, to: path)
        }
    }

    private func moveToNewName() throws {
        do throws(SystemError) {
            // Unlike a renaming, a link never replaces a file that was created in the meantime.
            try FileSystem.link(temporaryPath, as: path)
        } catch {
            // This file system has no links.
            if error == .alreadyExists || FileSystem.exists(path) { throw fileExists }
            return try move()
        }
        try? FileSystem.remove(temporaryPath)
    }

    func removeTemporaryFiles() {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            try? FileSystem.remove(temporaryPath + suffix)
        }
    }

    /// Waits until a file is on the disk.
    ///
    /// All connections to the file are closed by now, so closing it here releases no lock.
    private static func flush(_ path: String) throws {
        let file = try reporting("opening \(path)") { () throws(SystemError) in
            try OpenFile(path, .reading)
        }
        try reporting("writing \(path) to the disk") { () throws(SystemError) in
            do throws(SystemError) {
                try file.sync()
            } catch {
                // Some file systems cannot flush a folder, and report that.
                if error != .notSupported { throw error }
            }
        }
    }

    private static func reporting<Result: ~Copyable>(
        _ step: String, _ body: () throws(SystemError) -> Result
    ) throws -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw RecordStackError(
                error.isOfFullDisk ? .full : .io,
                "The backup failed at \(step): \(error.message). Nothing is left of it. Fix "
                    + "the cause and try again.")
        }
    }
}
