import Foundation

/// The Swift compiler, with the flags that SwiftPM passes for a module that uses RecordStack.
struct SwiftCompiler: Sendable {
    /// The last stage of a compilation. Type-checking alone accepts some leaks, which passes on SIL
    /// find.
    enum Stage: Sendable {
        case typeCheck, sil
        /// A module in a folder, for other programs to import.
        case module(String, in: String)

        var flags: [String] {
            switch self {
            case .typeCheck: ["-typecheck", "-module-name", "Program"]
            case .sil:
                [
                    "-emit-sil", "-whole-module-optimization", "-o", "/dev/null",
                    "-module-name", "Program",
                ]
            case .module(let name, let folder):
                [
                    "-emit-module", "-emit-module-path", "\(folder)/\(name).swiftmodule",
                    "-module-name", name,
                ]
            }
        }
    }

    /// A file of a program.
    struct Source: Sendable {
        let name: String
        let text: String
    }

    /// The result of compiling a program.
    struct Outcome: Sendable {
        let succeeded: Bool
        /// The processor time in seconds of the compiler and of all processes that it started.
        let seconds: Double
        let output: String

        var diagnostics: [Diagnostic] { Diagnostic.all(in: output) }
        var errors: [Diagnostic] { diagnostics.filter { $0.severity == .error } }
    }

    let executable: String
    /// The products folder of the running build.
    let products: String
    var flags: [String]

    /// Compiles the files as one module.
    func compile(
        _ sources: [Source], to stage: Stage = .sil, as dialect: Dialect = .plain
    ) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("recordstack-compile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = try sources.map { source in
            let file = folder.appendingPathComponent(source.name)
            try Data(source.text.utf8).write(to: file)
            return file.path
        }
        let command = Command(
            executable: executable, arguments: flags + dialect.flags + stage.flags + paths,
            outputPath: folder.appendingPathComponent("output.txt").path,
            scratchPath: folder.path)
        return try await Turnstile.compilers.pass { try await command.run() }
    }
}
