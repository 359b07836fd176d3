package import Foundation

/// A folder of a test's own, which goes with the last that holds on to it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init(_ name: String) throws {
        path = FileManager.default.temporaryDirectory.path + "/\(name)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // A folder that is left behind harms no test.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The last part of its path.
    package var name: String { URL(fileURLWithPath: path).lastPathComponent }

    package func file(_ name: String) -> String { path + "/" + name }

    package var names: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: path)) }
    }

    /// Everything in the folder, with its bytes; a folder in it has none.
    package func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try names {
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: file(name), isDirectory: &isDirectory)
            contents[name] =
                isDirectory.boolValue
                ? Data() : try Data(contentsOf: URL(fileURLWithPath: file(name)))
        }
        return contents
    }
}
