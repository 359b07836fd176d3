import Dispatch
import Foundation
import TestSupport

/// A run of the compiler whose processor time is taken: the clock on the wall also counts the tests
/// that run beside it.
struct Command: Sendable {
    let executable: String
    let arguments: [String]
    let outputPath: String
    /// The folder for its temporary files: the compiler leaves some behind.
    let scratchPath: String

    func run() async throws -> SwiftCompiler.Outcome {
        // A file takes any amount of output; a pipe that nobody reads would stop the compiler.
        let output = open(outputPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(output) }
        let process = try SpawnedProcess(
            executable, arguments, output: output, errors: output,
            variables: ["TMPDIR": scratchPath])
        let ending = await finish(process)
        // Foundation leaks where it reads a file without anything in it.
        let isEmpty = lseek(output, 0, SEEK_END) == 0
        let bytes = isEmpty ? Data() : try Data(contentsOf: URL(fileURLWithPath: outputPath))
        let text = String(decoding: bytes, as: UTF8.self)
        return SwiftCompiler.Outcome(
            succeeded: ending.status == 0, seconds: ending.seconds, output: text)
    }

    private func finish(_ process: SpawnedProcess) async -> SpawnedProcess.Ending {
        await withCheckedContinuation { continuation in
            // A queue of its own: a blocked thread of the global one would be missed by tasks.
            DispatchQueue(label: "compiler").async {
                continuation.resume(returning: process.wait())
            }
        }
    }
}
