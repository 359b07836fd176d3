import Foundation

/// A program of this package that a test starts, reads the output of, and may kill.
package final class ChildProgram {
    private let process: SpawnedProcess
    private let output: Int32
    private var unread: [UInt8] = []

    /// Starts a program from the folder of the test's own executable.
    /// - Parameter isAnnotated: true if the program annotates its Mutexes for the thread sanitizer.
    ///   Examples do not, and the sanitizer would report races on everything that their Mutexes
    ///   protect.
    package init(_ name: String, _ arguments: [String], isAnnotated: Bool = true) throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(fileURLWithPath: own).deletingLastPathComponent()
        var ends: [Int32] = [0, 0]
        // Children of other tests must not inherit the writing end, or it stays open. Swift cannot
        // create such a pipe in one step, but it can create such a pair of sockets.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw CocoaError(.fileReadUnknown) }
        defer { close(ends[1]) }
        output = ends[0]
        process = try SpawnedProcess(
            folder.appendingPathComponent(name).path, arguments, output: ends[1],
            variables: isAnnotated ? [:] : ["TSAN_OPTIONS": "report_bugs=0"])
    }

    deinit {
        close(output)
    }

    /// Returns the next line that the program prints, or nil when it has ended.
    package func nextLine() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeSubrange(...end)
                return line
            }
            // A line that a killed program has half written does not count.
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(output, &bytes, bytes.count)
            if count <= 0 { return nil }
            unread += bytes[..<count]
        }
    }

    /// Returns all lines that the program prints from now on.
    package func remainingLines() -> [String] {
        var lines: [String] = []
        while let line = nextLine() { lines.append(line) }
        return lines
    }

    package func kill() { process.kill() }

    package func wait() -> SpawnedProcess.Ending { process.wait() }
}
