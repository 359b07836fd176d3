import RecordStackPlatform

/// Which file a path leads to.
struct FileIdentity: Sendable, Hashable {
    let device: UInt
    let inode: UInt

    /// - Returns: nil where there is none, or it cannot be told.
    init?(path: String) {
        guard let status = try? FileStatus(of: path) else { return nil }
        self.init(status)
    }

    init(_ status: FileStatus) {
        device = status.device
        inode = status.inode
    }
}

/// A file's size and the moment of its last change: what a reader without locks goes by.
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
