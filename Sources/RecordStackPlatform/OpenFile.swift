#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An open file, which is closed when the value's lifetime ends.
package struct OpenFile: ~Copyable {
    package enum Mode: Sendable {
        /// Reads the file. Opening a named pipe waits for a writer.
        case reading
        /// Reads the file, and does not wait for the writer of a named pipe.
        case readingWithoutWaiting
        /// Creates a file that must not exist yet, readable by all users and writable by its owner.
        case creating
    }

    private let descriptor: Int32

    package init(_ path: String, _ mode: Mode) throws(SystemError) {
        let descriptor =
            switch mode {
            case .reading: open(path, O_RDONLY | O_CLOEXEC)
            case .readingWithoutWaiting: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            case .creating: open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            }
        if descriptor < 0 { throw .last }
        self.descriptor = descriptor
    }

    deinit { _ = close(descriptor) }

    package var status: FileStatus {
        get throws(SystemError) { try FileStatus(ofOpen: descriptor) }
    }

    /// Reads bytes into a buffer, at most as many as it can hold.
    ///
    /// - Returns: the number of bytes; 0 at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            let count = Self.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            let error = SystemError.last
            if error != .interrupted { throw error }
        }
    }

    /// Writes all of the bytes.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        try Self.write(bytes, to: descriptor)
    }

    /// Waits until the file's bytes are on the disk.
    package func sync() throws(SystemError) {
        if fsync(descriptor) != 0 { throw .last }
    }

    /// Waits until the file's bytes are on the disk, but not necessarily its modification time.
    package func syncData() throws(SystemError) {
        #if canImport(Glibc) && !PortablePlatform
            if fdatasync(descriptor) != 0 { throw .last }
        #else
            try sync()
        #endif
    }

    /// Locks the whole file against other open files that lock it, in all processes.
    ///
    /// Closing the file ends the lock. The lock is independent of the byte-range locks
    /// that SQLite takes.
    ///
    /// - Returns: false if another open file has the lock.
    package func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
}

extension OpenFile {
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
        var offset = 0
        while offset < bytes.count {
            let count = write(
                descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
            if count >= 0 {
                offset += count
                continue
            }
            let error = SystemError.last
            if error != .interrupted { throw error }
        }
    }

    // Inside the type, the names of these C functions need their module.
    static func read(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.read(file, bytes, count)
        #elseif canImport(Musl)
            Musl.read(file, bytes, count)
        #else
            Darwin.read(file, bytes, count)
        #endif
    }

    private static func write(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.write(file, bytes, count)
        #elseif canImport(Musl)
            Musl.write(file, bytes, count)
        #else
            Darwin.write(file, bytes, count)
        #endif
    }
}
