#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The standard error output of the process.
package enum StandardError {
    /// Writes a line in one call, so that the lines of several threads do not mix.
    package static func write(line: String) {
        var text = line + "\n"
        text.withUTF8 { try? OpenFile.write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
    }

    /// Whether the output goes to a terminal.
    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
