import Foundation

extension SwiftCompiler {
    /// The compiler that fits the modules of the running build, with the programs' entities.
    ///
    /// The entities are a module that is compiled once, because the macros take more time than the
    /// rest of a program.
    static let shared = Task {
        var compiler = try located()
        let folder = compiler.products + "/RecordStackCompileTests.entities"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let outcome = try await compiler.compile(
            [Program.entities], to: .module(Program.entitiesModule, in: folder))
        if !outcome.succeeded { throw NotFound(description: outcome.output) }
        compiler.flags += ["-I", folder]
        return compiler
    }

    struct NotFound: Error, CustomStringConvertible {
        let description: String
    }

    private static func located() throws -> SwiftCompiler {
        let products = try productsFolder()
        let plugin = products + "/RecordStackMacros-tool"
        let moduleMap = packageFolder + "/Sources/CSQLite/module.modulemap"
        for path in [plugin, moduleMap] where !FileManager.default.fileExists(atPath: path) {
            throw NotFound(description: "There is no \(path).")
        }
        return SwiftCompiler(
            executable: try compilerPath(), products: products,
            flags: [
                "-swift-version", "6", "-parse-as-library", "-diagnostic-style", "llvm",
                "-I", products + "/Modules", "-Xcc", "-fmodule-map-file=" + moduleMap,
                "-load-plugin-executable", plugin + "#RecordStackMacros",
                "-module-cache-path", products + "/ModuleCache",
            ])
    }

    /// The folder of the package, located by this source file, so that a clone at any path works.
    static var packageFolder: String {
        URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
    }

    /// Returns the products of the running build, located by the test program, so that any scratch
    /// path works.
    static func productsFolder() throws -> String {
        let files = FileManager.default
        let program =
            (try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
        var folder = URL(fileURLWithPath: program).deletingLastPathComponent()
        while folder.path != "/" {
            if files.fileExists(atPath: folder.path + "/Modules/RecordStack.swiftmodule") {
                return folder.path
            }
            folder.deleteLastPathComponent()
        }
        throw NotFound(description: "There is no built RecordStack module beside \(program).")
    }

    /// Returns the compiler beside the `swift` that runs the tests, which built the modules, or
    /// else the compiler in `PATH`.
    private static func compilerPath() throws -> String {
        let files = FileManager.default
        let runner = try? files.destinationOfSymbolicLink(atPath: "/proc/\(getppid())/exe")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders =
            (runner.map { [URL(fileURLWithPath: $0).deletingLastPathComponent().path] } ?? [])
            + path.split(separator: ":").map(String.init)
        for folder in folders where files.isExecutableFile(atPath: folder + "/swiftc") {
            return folder + "/swiftc"
        }
        throw NotFound(description: "There is no swiftc beside the running swift or in PATH.")
    }
}
