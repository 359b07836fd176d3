import FoundationEssentials
import RecordStackPlatform
import RecordStackModel

/// Reads a file piece by piece.
final class FilePieces {
    private let file: OpenFile
    private let path: String
    let totalBytes: Int
    private static let size = 1 << 20

    /// Opens a file.
    ///
    /// - Throws: ``RecordStackError/Code/importFailed`` if the file cannot be read.
    init(_ url: URL) throws {
        path = url.path
        do throws(SystemError) {
            file = try OpenFile(path, .reading)
        } catch {
            throw Self.failure(path, error)
        }
        totalBytes = (try? file.status)?.size ?? 0
    }

    /// Returns the next piece; nil at the end.
    func next() throws -> [UInt8]? {
        var failure: SystemError?
        let piece = [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, count in
            do throws(SystemError) {
                count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw Self.failure(path, failure) }
        return piece.isEmpty ? nil : piece
    }

    private static func failure(_ path: String, _ reason: SystemError) -> RecordStackError {
        RecordStackError(.importFailed, "The file \(path) cannot be read: \(reason.message).")
    }
}
