import RecordStackImport

/// A text that is passed piece by piece, as a file is read. Unread bytes move to the front of a
/// buffer, to which the next piece is appended.
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
        // Overwrites the bytes behind the unread ones, so that no reader can still use them.
        for index in kept..<buffer.count { buffer[index] = 0xFF }
        take()
        scanner.resume(with: bytes, isComplete: isComplete)
    }
}

/// Returns the tokens of a text in pieces of the given sizes, in rotation, and the error that ended
/// it.
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
