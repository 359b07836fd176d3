package import FoundationEssentials
import Glibc
import RecordStackModel

/// A file that takes the place of another one when it is complete.
package final class ExportFile {
    private let path: String
    private let temporary: String
    private var file: Int32
    private var isFinished = false

    /// - Throws: ``RecordStackError/Code/io`` where it cannot be made.
    package init(_ url: URL) throws {
        path = url.path
        // Beside the other one, or it could not take its place at once.
        temporary = "\(path).\(UInt32.random(in: .min ... .max)).part"
        file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        if file < 0 { throw failure() }
    }

    deinit {
        if file >= 0 { close(file) }
        if !isFinished { unlink(temporary) }
    }

    package func write(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = Glibc.write(file, bytes.baseAddress! + offset, bytes.count - offset)
                if count < 0 && errno == EINTR { continue }
                if count < 0 { throw failure() }
                offset += count
            }
        }
    }

    package func finish() throws {
        let code = fsync(file)
        if code != 0 { throw failure() }
        let closing = close(file)
        file = -1
        if closing != 0 { throw failure() }
        if rename(temporary, path) != 0 { throw failure() }
        isFinished = true
    }

    private func failure() -> RecordStackError {
        RecordStackError(
            .io, "The export cannot be written to \(path): \(String(cString: strerror(errno))).")
    }
}
