package import FoundationEssentials
import RecordStackModel
import RecordStackPlatform

/// A file that replaces another file when it is complete.
package final class ExportFile {
    private let path: String
    private let temporary: String
    private let file: OpenFile
    private var isFinished = false

    /// Creates the file under a temporary name.
    ///
    /// - Throws: ``RecordStackError/Code/io`` if the file cannot be created.
    package init(_ url: URL) throws {
        let path = url.path
        // A file can replace another one atomically only within the same folder.
        let temporary = "\(path).\(UInt32.random(in: .min ... .max)).part"
        file = try Self.reporting(path) { () throws(SystemError) in
            try OpenFile(temporary, .creating)
        }
        self.path = path
        self.temporary = temporary
    }

    deinit {
        if !isFinished { try? FileSystem.remove(temporary) }
    }

    package func write(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            try Self.reporting(path) { () throws(SystemError) in try file.write(bytes) }
        }
    }

    package func finish() throws {
        try Self.reporting(path) { () throws(SystemError) in
            try file.sync()
            try FileSystem.move(temporary, to: path)
        }
        isFinished = true
    }

    private static func reporting<Result: ~Copyable>(
        _ path: String, _ body: () throws(SystemError) -> Result
    ) throws -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw RecordStackError(
                .io, "The export cannot be written to \(path): \(error.message).")
        }
    }
}
