import Foundation

/// A run of the compiler whose processor time is taken.
struct Command: Sendable {
    let executable: String
    let arguments: [String]
    let outputPath: String

    // The time comes from the shell: Process does not say what a child used, and the clock on the
    // wall also counts the tests that run beside it.
    private static let script = #""$@"; status=$?; echo; times; exit $status"#

    func run() async throws -> SwiftCompiler.Outcome {
        let file = URL(fileURLWithPath: outputPath)
        try Data().write(to: file)
        // A file takes any amount of output; a pipe that nobody reads would stop the compiler.
        let output = try FileHandle(forWritingTo: file)
        defer { try? output.close() }
        let status = try await finish(process(writingTo: output))
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return SwiftCompiler.Outcome(
            succeeded: status == 0, seconds: try Self.childSeconds(in: text), output: text)
    }

    private func process(writingTo output: FileHandle) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", Self.script, "sh", executable] + arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["LC_ALL": "C"]) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        return process
    }

    private func finish(_ process: sending Process) async throws -> Int32 {
        try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }

    /// The last line of `times` is of the children: `0m0.39s 0m0.05s`, user and system.
    private static func childSeconds(in output: String) throws -> Double {
        let last = output.split(separator: "\n").last ?? ""
        let seconds = last.split(separator: " ").compactMap { time -> Double? in
            let parts = time.dropLast().split(separator: "m").compactMap { Double($0) }
            return parts.count == 2 ? parts[0] * 60 + parts[1] : nil
        }
        guard seconds.count == 2 else {
            throw SwiftCompiler.NotFound(description: "The shell gave no times: \(last)")
        }
        return seconds[0] + seconds[1]
    }
}
