#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that is held without being opened.
///
/// SQLite's locks belong to the process, and the system releases them when any open file of the process
/// for the same file is closed. A file that is held with `O_PATH` is not open in that sense (open(2)).
package final class PathHandle: Sendable {
    #if canImport(Glibc) && !PortablePlatform
        private let descriptor: Int32
        /// `O_PATH`, which the headers declare for GNU programs in C alone. Linux uses the same number on x86-64 and
        /// ARM.
        private static let path: Int32 = 0o10000000

        /// Nil if there is no file that can be held, or if the system cannot hold files.
        package init?(path: String) {
            let opened = open(path, Self.path | O_CLOEXEC)
            if opened < 0 { return nil }
            descriptor = opened
        }

        deinit { close(descriptor) }

        /// Whether any path leads to the file. False also if the system does not answer.
        package var hasName: Bool { ((try? FileStatus(ofOpen: descriptor))?.linkCount ?? 0) > 0 }
    #else
        package init?(path: String) { return nil }

        package var hasName: Bool { false }
    #endif
}
