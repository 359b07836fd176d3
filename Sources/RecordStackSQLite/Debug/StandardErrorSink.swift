import Glibc
import RecordStackModel

/// Prints what a store tells to standard error, in colours where a terminal shows them.
struct StandardErrorSink: Sendable {
    private let isColored: Bool

    /// Colours are left out where `NO_COLOR` says something, and on a dumb terminal.
    init() {
        isColored =
            isatty(STDERR_FILENO) == 1 && (Environment["NO_COLOR"] ?? "").isEmpty
            && Environment["TERM"] != "dumb"
    }

    @Sendable func callAsFunction(_ event: SQLDebugEvent) {
        var text = event.text(isColored: isColored) + "\n"
        // In one piece, so that lines of several threads do not mix.
        text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let start = UnsafeBufferPointer(rebasing: rest).baseAddress
                let count = write(STDERR_FILENO, start, rest.count)
                if count <= 0 { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}

/// The environment of the process.
enum Environment {
    static subscript(name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
