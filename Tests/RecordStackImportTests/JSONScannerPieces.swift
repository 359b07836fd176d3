import RecordStackImport

/// A text that is handed over piece by piece, the way a file is read: what was not read is moved
/// to the front of a buffer that then grows by the next piece.
struct JSONPieces: ~Copyable {
    private let whole: [UInt8]
    private let sizes: [Int]
    private var turn = 0
    private var taken = 0
    private var kept = 0
    private let buffer: UnsafeMutableRawBufferPointer

    init(_ whole: [UInt8], _ sizes: [Int]) {
        self.whole = whole
        self.sizes = sizes
        buffer = .allocate(byteCount: whole.count + 1, alignment: 1)
        take()
    }

    deinit { buffer.deallocate() }

    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: buffer.baseAddress, count: kept)
    }

    var isComplete: Bool { taken == whole.count }

    private mutating func take() {
        let size = min(sizes[turn % sizes.count], whole.count - taken)
        turn += 1
        for byte in whole[taken..<taken + size] {
            buffer[kept] = byte
            kept += 1
        }
        taken += size
    }

    mutating func advance(_ scanner: inout JSONScanner) {
        let used = scanner.suspend()
        for index in used..<kept { buffer[index - used] = buffer[index] }
        kept -= used
        // What is left over from before is overwritten, so that nobody can still be reading it.
        for index in kept..<buffer.count { buffer[index] = 0xFF }
        take()
        scanner.resume(with: bytes, isComplete: isComplete)
    }
}

/// The tokens of a text that is handed over in pieces of these sizes, again and again, and the error that ended it if
/// one did.
func jsonTokens(
    _ bytes: [UInt8], inPieces sizes: [Int], allowsMultipleValues: Bool = false
) -> (seen: [JSONSeen], error: JSONError?) {
    var feed = JSONPieces(bytes, sizes)
    var seen: [JSONSeen] = []
    var scanner = JSONScanner(
        feed.bytes, isComplete: feed.isComplete, allowsMultipleValues: allowsMultipleValues)
    do throws(JSONError) {
        while true {
            let token = try scanner.next()
            if token == .needsMoreInput {
                feed.advance(&scanner)
                continue
            }
            seen.append(JSONSeen(token, scanner))
            if token == .endOfInput { return (seen, nil) }
        }
    } catch {
        return (seen, error)
    }
}
