import Foundation

/// A text file beside a test, which records the results of an earlier run.
///
/// With `RECORDSTACK_RECORD=1`, the tests write their files instead of comparing with them.
package struct RecordedLines {
    /// True if the tests of this run write their files.
    package static let isRecording =
        ProcessInfo.processInfo.environment["RECORDSTACK_RECORD"] != nil

    private let file: URL

    /// - Parameters:
    ///   - name: the file's name, relative to the folder of the calling source file.
    package init(_ name: String, beside source: String = #filePath) {
        file = URL(fileURLWithPath: source).deletingLastPathComponent().appending(path: name)
    }

    package func write(_ lines: [String]) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    }

    package func read() throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Writes the lines, or compares them with the file's, one by one.
    /// - Returns: the first lines that differ, or nil if all lines are equal.
    package func difference(from lines: [String]) throws -> String? {
        if Self.isRecording {
            try write(lines)
            return nil
        }
        let recorded = try read()
        let places = (0..<max(lines.count, recorded.count)).filter {
            line($0, of: lines) != line($0, of: recorded)
        }
        if places.isEmpty { return nil }
        let list = places.prefix(10).map { place in
            """
            line \(place + 1)
              was: \(line(place, of: recorded) ?? "no line")
              now: \(line(place, of: lines) ?? "no line")
            """
        }
        return "\(places.count) lines of \(file.lastPathComponent) differ:\n"
            + list.joined(separator: "\n")
    }

    private func line(_ place: Int, of lines: [String]) -> String? {
        lines.indices.contains(place) ? lines[place] : nil
    }
}
