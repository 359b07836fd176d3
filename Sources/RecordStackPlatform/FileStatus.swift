#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file system's description of a file.
package struct FileStatus: Sendable {
    package enum Kind: Sendable {
        case regular, directory, link, other
    }

    package let kind: Kind
    /// The file's device, which together with the inode identifies the file while it exists.
    package let device: UInt
    package let inode: UInt
    /// The size in bytes.
    package let size: Int
    package let linkCount: Int
    /// The time of the last change: seconds since 1970, and nanoseconds within the second.
    package let modified: (seconds: Int, nanoseconds: Int)

    /// Reads the status of the file at a path.
    ///
    /// - Parameter followsLinks: true to describe the file that a symbolic link refers to.
    /// - Throws: ``SystemError`` if there is no such file, or if the process cannot reach it.
    package init(of path: String, followsLinks: Bool = true) throws(SystemError) {
        var status = stat()
        let code = followsLinks ? stat(path, &status) : lstat(path, &status)
        if code != 0 { throw .last }
        self.init(status)
    }

    init(ofOpen descriptor: Int32) throws(SystemError) {
        var status = stat()
        if fstat(descriptor, &status) != 0 { throw .last }
        self.init(status)
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        device = UInt(truncatingIfNeeded: status.st_dev)
        inode = UInt(status.st_ino)
        size = Int(status.st_size)
        linkCount = Int(status.st_nlink)
        #if canImport(Darwin)
            modified = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
        #else
            modified = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        #endif
    }
}
