import Glibc

/// Which file a path leads to.
struct FileIdentity: Sendable, Hashable {
    let device: UInt
    let inode: UInt

    /// - Returns: nil where there is none, or it cannot be told.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}

/// A file's size and the moment of its last change: what a reader without locks goes by.
struct FileState: Sendable, Hashable {
    let identity: FileIdentity
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        identity = FileIdentity(status)
        size = Int(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
