#if Macros
    import Foundation

    /// A folder of entities, and the folder beside it with the same entities without macros.
    struct EntityFolder {
        /// The folder's path as the user wrote it: `Sources/App/Entities`.
        let path: String
        /// The new texts of the files, by their paths inside the folder.
        private let texts: [String: String]

        /// Reads the folder and prints the macros' messages.
        init(path: String) throws {
            self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
            let names = Self.names(in: self.path)
            guard !names.isEmpty else { throw EntityFolderError.noSources(self.path) }
            var texts: [String: String] = [:]
            var hasErrors = false
            for name in names {
                let written = try ExpandedSource(path: "\(self.path)/\(name)")
                written.messages.forEach { print($0) }
                hasErrors = hasErrors || written.hasErrors
                texts[name] = Self.heading(for: name, of: self.path) + written.text
            }
            guard !hasErrors else { throw EntityFolderError.wrongDeclarations }
            self.texts = texts
        }

        /// Writes changed files, and removes the files whose source is gone.
        func write() throws -> Bool {
            let old = try written
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) where old[name] != text {
                let file = URL(fileURLWithPath: "\(writtenPath)/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
                print("Wrote \(writtenPath)/\(name)")
            }
            for name in old.keys.sorted() where texts[name] == nil {
                try FileManager.default.removeItem(atPath: "\(writtenPath)/\(name)")
                print("Removed \(writtenPath)/\(name)")
            }
            print("\(writtenPath) is up to date.")
            return true
        }

        /// Prints the files that are out of date, and returns false if there are any.
        func check() throws -> Bool {
            let old = try written
            let names = Set(old.keys).union(texts.keys).sorted().filter { old[$0] != texts[$0] }
            for name in names {
                let file = "\(writtenPath)/\(name)"
                print("\(file): error: out of date. Run: swift package write-entities")
            }
            return names.isEmpty
        }

        private var writtenPath: String { path + ".written" }

        /// The files that the command wrote before.
        ///
        /// The command never removes other files in the folder.
        private var written: [String: String] {
            get throws {
                try Self.names(in: writtenPath).reduce(into: [:]) { texts, name in
                    let path = "\(writtenPath)/\(name)"
                    let text = try String(contentsOfFile: path, encoding: .utf8)
                    if text.hasPrefix(Self.headingStart) { texts[name] = text }
                }
            }
        }

        private static var headingStart: String { "// Written by `swift package write-entities`." }

        private static func heading(for name: String, of path: String) -> String {
            let folder = (path as NSString).lastPathComponent
            return """
                \(headingStart) Edit \(folder)/\(name) instead.
                // swift-format-ignore-file
                // @exclusivity(unchecked): accessors read or replace one value, in their isolation.


                """
        }

        /// Returns the paths of the Swift files in a folder and its subfolders.
        private static func names(in folder: String) -> [String] {
            let names = FileManager.default.enumerator(atPath: folder)?
                .compactMap { $0 as? String }
                .filter { $0.hasSuffix(".swift") }
            return (names ?? []).sorted()
        }
    }

    enum EntityFolderError: Error, CustomStringConvertible {
        case noSources(String)
        case wrongDeclarations

        var description: String {
            switch self {
            case .noSources(let path): "There are no Swift files in \(path)."
            case .wrongDeclarations: "Nothing was written. Fix the declarations above first."
            }
        }
    }
#endif
