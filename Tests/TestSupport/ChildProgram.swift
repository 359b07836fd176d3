import Foundation

/// A program of this package that a test starts, listens to and may kill.
package final class ChildProgram {
    private let process = Process()
    private let output = Pipe()
    private var unread: [UInt8] = []

    /// Starts a program, which stands in the folder of the test's own executable.
    package init(_ name: String, _ arguments: [String]) throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(fileURLWithPath: own).deletingLastPathComponent()
        process.executableURL = folder.appendingPathComponent(name)
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    /// The next line that the program prints; nil when it has ended.
    package func nextLine() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeFirst(end + 1)
                return line
            }
            // What a killed program has half written is no line.
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            unread += more
        }
    }

    /// All lines that are still to come.
    package func remainingLines() -> [String] {
        var lines: [String] = []
        while let line = nextLine() { lines.append(line) }
        return lines
    }

    /// Ends the program as the kernel would: nothing of it runs any more.
    package func kill() {
        _ = Foundation.kill(process.processIdentifier, SIGKILL)
    }

    /// Waits until the program has ended.
    /// - Returns: its exit status, or the number of the signal that ended it.
    @discardableResult
    package func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
