import Foundation

/// A run of the program behind `swift package write-entities`, in the folder of the package.
struct EntityWriterRun {
    let succeeded: Bool
    let output: String

    init(_ arguments: [String]) async throws {
        let folder = try TemporaryFolder([:])
        let paths = arguments.map { path in
            path.hasPrefix("Examples/") ? "\(SwiftCompiler.packageFolder)/\(path)" : path
        }
        let outcome = try await Command(
            executable: SwiftCompiler.productsFolder() + "/EntityWriter", arguments: paths,
            outputPath: "\(folder.path)/output.txt", scratchPath: folder.path
        ).run()
        (succeeded, output) = (outcome.succeeded, outcome.output)
    }
}

/// A folder of sources and of the files written from them, which is deleted after the test.
final class TemporaryFolder {
    private let root: String
    let path: String

    init(_ files: [String: String]) throws {
        root =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("recordstack-written-\(UUID().uuidString)").path
        path = root + "/Sources"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        try write(files)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func write(_ files: [String: String]) throws {
        for (name, text) in files {
            let file = URL(fileURLWithPath: "\(path)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }

    func written(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path).written/\(name)", encoding: .utf8)
    }
}
