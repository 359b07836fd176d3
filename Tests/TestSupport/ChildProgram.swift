import Foundation

/// A program of this package that a test starts, listens to and may kill.
package final class ChildProgram {
    private let process: SpawnedProcess
    private let output: Int32
    private var unread: [UInt8] = []

    /// Starts a program, which stands in the folder of the test's own executable.
    /// - Parameter isAnnotated: whether it tells the thread sanitizer of its Mutexes, which examples do not: without
    ///   that, it would take what they protect for races.
    package init(_ name: String, _ arguments: [String], isAnnotated: Bool = true) throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(fileURLWithPath: own).deletingLastPathComponent()
        var ends: [Int32] = [0, 0]
        // Other tests' children must not keep the end open that is written to. A pipe cannot be
        // made so in one step from Swift, a pair of sockets can.
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

    /// The next line that the program prints; nil when it has ended.
    package func nextLine() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeSubrange(...end)
                return line
            }
            // What a killed program has half written is no line.
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(output, &bytes, bytes.count)
            if count <= 0 { return nil }
            unread += bytes[..<count]
        }
    }

    /// All lines that are still to come.
    package func remainingLines() -> [String] {
        var lines: [String] = []
        while let line = nextLine() { lines.append(line) }
        return lines
    }

    package func kill() { process.kill() }

    package func wait() -> SpawnedProcess.Ending { process.wait() }
}
