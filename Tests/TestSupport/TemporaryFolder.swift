import Foundation

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

    package func file(_ name: String) -> String { path + "/" + name }

    package var names: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: path)) }
    }
}
