#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The standard error stream, which the program's developer reads.
package enum StandardError {
    /// Writes a line in one call, so that lines of several threads do not mix.
    package static func write(line: String) {
        var text = line + "\n"
        text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let start = UnsafeBufferPointer(rebasing: rest).baseAddress
                #if canImport(Glibc)
                    let count = Glibc.write(STDERR_FILENO, start, rest.count)
                #else
                    let count = Darwin.write(STDERR_FILENO, start, rest.count)
                #endif
                if count <= 0 { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}

/// The environment variables of the process.
package enum Environment {
    package static subscript(name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
