import Glibc

/// A file that is held without being opened. SQLite's locks are the process's, and would go if
/// anything of it closed the file; what is held with `O_PATH` has no part in them (open(2)).
final class OpenHandle: Sendable {
    private let descriptor: Int32
    /// `O_PATH`, whose name is only there for programs in C that ask for all of GNU's. Linux has the
    /// same number on x86-64 and ARM.
    private static let path: Int32 = 0o10000000

    /// - Returns: nil where there is no file that can be held.
    init?(path: String) {
        let opened = open(path, Self.path | O_CLOEXEC)
        if opened < 0 { return nil }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Whether a path leads to it, whichever. False also where it cannot be told.
    var hasName: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }
}
