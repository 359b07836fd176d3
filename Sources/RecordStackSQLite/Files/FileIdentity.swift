import RecordStackPlatform

/// The identity of the file to which a path leads.
struct FileIdentity: Sendable, Hashable {
    let device: UInt
    let inode: UInt

    /// Reads the identity; nil if there is no file or the system reports an error.
    init?(path: String) {
        guard let status = try? FileStatus(of: path) else { return nil }
        self.init(status)
    }

    init(_ status: FileStatus) {
        device = status.device
        inode = status.inode
    }
}

/// A file's size and time of last change, by which a reader without locks detects changes.
struct FileState: Sendable, Hashable {
    let identity: FileIdentity
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init?(path: String) {
        guard let status = try? FileStatus(of: path) else { return nil }
        identity = FileIdentity(status)
        size = status.size
        (seconds, nanoseconds) = status.modified
    }
}
