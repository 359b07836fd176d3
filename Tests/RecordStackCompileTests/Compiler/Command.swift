import Dispatch
import Foundation
import TestSupport

/// A run of the compiler that measures processor time. Wall-clock time would include the tests that
/// run in parallel.
struct Command: Sendable {
    let executable: String
    let arguments: [String]
    let outputPath: String
    /// The folder for temporary files, because the compiler leaves some behind.
    let scratchPath: String

    func run() async throws -> SwiftCompiler.Outcome {
        // The output goes to a file: a full pipe without a reader would block the compiler.
        let output = open(outputPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(output) }
        let process = try SpawnedProcess(
            executable, arguments, output: output, errors: output,
            variables: ["TMPDIR": scratchPath])
        let ending = await finish(process)
        // Foundation leaks memory when it reads an empty file.
        let isEmpty = lseek(output, 0, SEEK_END) == 0
        let bytes = isEmpty ? Data() : try Data(contentsOf: URL(fileURLWithPath: outputPath))
        let text = String(decoding: bytes, as: UTF8.self)
        return SwiftCompiler.Outcome(
            succeeded: ending.status == 0, seconds: ending.seconds, output: text)
    }

    private func finish(_ process: SpawnedProcess) async -> SpawnedProcess.Ending {
        await withCheckedContinuation { continuation in
            // Blocking a thread of the global queue would take it from the tasks, so this uses
            // another queue.
            DispatchQueue(label: "compiler").async {
                continuation.resume(returning: process.wait())
            }
        }
    }
}
