import FoundationEssentials
import Glibc
import RecordStackModel

/// Reads a file piece by piece.
final class FilePieces {
    private let file: Int32
    private let path: String
    let totalBytes: Int
    private static let size = 1 << 20

    /// - Throws: ``RecordStackError/Code/importFailed`` where it cannot be read.
    init(_ url: URL) throws {
        path = url.path
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Self.failure(path) }
        var status = stat()
        let code = fstat(file, &status)
        totalBytes = code == 0 ? Int(status.st_size) : 0
    }

    deinit { close(file) }

    /// The next piece; nil at the end.
    func next() throws -> [UInt8]? {
        let piece = [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, count in
            var result = read(file, buffer.baseAddress, buffer.count)
            while result < 0 && errno == EINTR {
                result = read(file, buffer.baseAddress, buffer.count)
            }
            // An empty piece stands for an error as well; which it was is asked below.
            count = max(result, 0)
            failed = result < 0 ? errno : 0
        }
        if failed != 0 {
            errno = failed
            throw Self.failure(path)
        }
        return piece.isEmpty ? nil : piece
    }

    private var failed: Int32 = 0

    private static func failure(_ path: String) -> RecordStackError {
        RecordStackError(
            .importFailed, "The file \(path) cannot be read: \(String(cString: strerror(errno))).")
    }
}
