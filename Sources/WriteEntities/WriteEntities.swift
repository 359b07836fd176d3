import Foundation
import PackagePlugin

/// Expands RecordStack's macros into source files: the command `swift package write-entities`.
///
/// Builds without macros compile these files.
@main
struct WriteEntities: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        guard !arguments.contains("--help"), !arguments.contains("-h") else { return print(usage) }
        let unknown = arguments.filter { $0.hasPrefix("-") && $0 != "--check" }
        guard unknown.isEmpty else {
            Diagnostics.error("There is no option \(unknown[0]).\n\(usage)")
            return
        }
        let folders = arguments.filter { !$0.hasPrefix("-") }
        let chosen = folders.isEmpty ? Self.entityFolders(of: context.package) : folders
        guard !chosen.isEmpty else {
            Diagnostics.error("No target has a folder Entities.\n\(usage)")
            return
        }
        try run(
            context.tool(named: "EntityWriter").url, at: context.package.directoryURL,
            arguments: chosen + arguments.filter { $0 == "--check" })
    }

    /// Returns the folders' paths, relative to the package.
    private static func entityFolders(of package: Package) -> [String] {
        let root = package.directoryURL.path
        return package.targets.compactMap { target in
            let folder = target.directoryURL.appendingPathComponent("Entities")
            guard FileManager.default.fileExists(atPath: folder.path) else { return nil }
            return folder.path.hasPrefix(root)
                ? String(folder.path.dropFirst(root.count).drop { $0 == "/" }) : folder.path
        }
    }

    private func run(_ tool: URL, at directory: URL, arguments: [String]) throws {
        let process = Process()
        process.executableURL = tool
        process.currentDirectoryURL = directory
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 {
            Diagnostics.error("write-entities failed.")
        }
    }

    private var usage: String {
        """
        USAGE: swift package write-entities [FOLDER ...] [--check]

        Copies the Swift files of FOLDER into FOLDER.written, with @Entity, @Attribute and @Relationship expanded. \
        Without a FOLDER, it does so for the folder Entities of each target.

          --check   Writes nothing, and fails if a written file is out of date.

        Have the manifest choose a folder, and release builds need no swift-syntax:

          let written = Context.environment["WRITTEN_ENTITIES"] != nil
          .package(url: "https://github.com/…/RecordStack", from: "0.1.0", traits: written ? [] : [.defaults])
          .target(name: "App", …, exclude: [written ? "Entities" : "Entities.written"])

          WRITTEN_ENTITIES=1 swift build -c release
        """
    }
}
