import Foundation
import RecordStack

/// A progress bar on standard error, shown only on a terminal.
struct ProgressBar {
    private let isShown = isatty(STDERR_FILENO) == 1

    func show(_ progress: ImportProgress) {
        guard isShown else { return }
        let filled = Int((progress.fraction ?? 0) * 40)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 40 - filled)
        write("\r\(bar) \(progress.rows) quakes")
    }

    func end() {
        if isShown { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
