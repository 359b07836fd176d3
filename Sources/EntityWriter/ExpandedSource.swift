#if Macros
    import Foundation

    /// A source file with RecordStack's macros expanded by the compiler plug-in.
    struct ExpandedSource {
        /// The whole file. Code and comments beside the macros are unchanged.
        let text: String
        /// The macros' errors and warnings, in the compiler's form.
        let messages: [String]
        /// Whether a message is an error. If so, the text does not compile.
        let hasErrors: Bool

        /// Expands the macros of the file at a path.
        ///
        /// - Throws: ``ExpansionError`` if the plug-in cannot be run.
        init(path: String) throws {
            let output = try Self.runPlugin(path: path)
            var lines = output.split(separator: "\n", omittingEmptySubsequences: false)[...]
            let head = lines.popFirst()?.split(separator: " ") ?? []
            guard head.count == 2, let count = Int(head[0]), let hasErrors = Bool(String(head[1]))
            else { throw ExpansionError.noAnswer(path) }
            messages = lines.prefix(count).map(String.init)
            text = lines.dropFirst(count).joined(separator: "\n")
            self.hasErrors = hasErrors
        }

        private static func runPlugin(path: String) throws -> String {
            let process = Process()
            process.executableURL = plugin
            process.arguments = ["write-entities", path]
            // The plug-in reads a file, because a pipe in both directions could fill up.
            process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            let output = Pipe()
            process.standardOutput = output
            do {
                try process.run()
            } catch {
                throw ExpansionError.noPlugin(plugin.path, "\(error)")
            }
            let bytes = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: bytes, as: UTF8.self)
        }

        /// The compiler plug-in, which SwiftPM builds into the folder of this tool.
        private static var plugin: URL {
            (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
                .deletingLastPathComponent().appendingPathComponent("RecordStackMacros-tool")
        }
    }

    /// A failure of the compiler plug-in.
    enum ExpansionError: Error, CustomStringConvertible {
        case noPlugin(String, String)
        case noAnswer(String)

        var description: String {
            switch self {
            case .noPlugin(let path, let reason):
                "The compiler plug-in \(path) cannot be started: \(reason)"
            case .noAnswer(let path): "The compiler plug-in failed to expand \(path)."
            }
        }
    }
#endif
