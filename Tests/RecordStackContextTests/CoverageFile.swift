import Foundation
import TestSupport

/// The file in which a test in a process of its own reports what its random steps have covered.
///
/// Nobody sees the standard output of such a process. If a test observes the output, the process is
/// waited for in a loop that takes a processor until all other such processes have ended.
final class CoverageFile {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("coverage") }

    var path: String { folder.file("coverage.txt") }

    /// The reported text; empty if the process has ended early.
    var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    static func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
}
