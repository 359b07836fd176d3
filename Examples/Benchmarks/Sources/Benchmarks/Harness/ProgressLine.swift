import Foundation

/// The current activity, on standard error.
///
/// On a terminal it is one line that changes. Elsewhere it is one line for each stage, without
/// the single pairs.
struct ProgressLine {
    private let isTerminal = isatty(STDERR_FILENO) == 1

    func show(_ text: String, isStage: Bool = false) {
        if isTerminal {
            Self.write("\r\u{1B}[K" + text)
        } else if isStage {
            Self.write(text + "\n")
        }
    }

    func clear() {
        if isTerminal { Self.write("\r\u{1B}[K") }
    }

    static func complain(_ text: String) {
        write(text + "\n")
    }

    private static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
