#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A handle to a file that does not open the file.
///
/// SQLite's locks belong to the process, and the system releases them when the process closes any
/// of its open descriptors of the same file. A handle from `O_PATH` is not open in that sense
/// (open(2)).
package final class PathHandle: Sendable {
    #if canImport(Glibc) && !PortablePlatform
        private let descriptor: Int32
        /// The flag `O_PATH`, which the headers declare only for C with GNU extensions.
        ///
        /// Linux uses the same number on x86-64 and ARM.
        private static let path: Int32 = 0o10000000

        /// Opens a handle; nil if there is no file at the path or the system has no such handles.
        package init?(path: String) {
            let opened = open(path, Self.path | O_CLOEXEC)
            if opened < 0 { return nil }
            descriptor = opened
        }

        deinit { close(descriptor) }

        /// Whether the file still has a path. False also if the system reports an error.
        package var hasName: Bool { ((try? FileStatus(ofOpen: descriptor))?.linkCount ?? 0) > 0 }
    #else
        package init?(path: String) { return nil }

        package var hasName: Bool { false }
    #endif
}
