package import Foundation

/// A folder for one test, which is deleted together with its last reference.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init(_ name: String) throws {
        path = FileManager.default.temporaryDirectory.path + "/\(name)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // A folder that stays behind harms no test.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The last component of the folder's path.
    package var name: String { URL(fileURLWithPath: path).lastPathComponent }

    package func file(_ name: String) -> String { path + "/" + name }

    package var names: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: path)) }
    }

    /// Returns every file in the folder with its bytes. A nested folder has none.
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
