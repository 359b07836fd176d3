package import RecordStackModel

/// Builds batches of rows from the pieces of a text.
package final class ImportFeed {
    private let splitter: any RowSplitter
    private let batchSize: Int
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var lines: [Int] = []
    private var firstRow = 0
    /// The error that ends the import after the batches before it.
    private var failure: (any Error)?
    /// The number of bytes that were added.
    package private(set) var offset = 0
    /// The number of bytes at which a batch of long rows ends before it has all of its rows.
    private static let mostBytes = 8 << 20

    /// Creates a feed.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a key path that is not valid.
    package init(
        _ options: ImportOptions, at keyPath: String?, entity: EntityDescription
    ) throws {
        batchSize = options.batchSize
        splitter =
            options.format == .ndjson
            ? LineSplitter() : JSONRowSplitter(try JSONLocation(keyPath, entity: entity))
    }

    /// Adds a piece.
    ///
    /// - Returns: the batches that the piece completes. The text after them may have an error:
    ///   see ``check()``.
    package func add(_ piece: [UInt8]) throws -> [ImportBatch] {
        offset += piece.count
        piece.withUnsafeBytes { splitter.add($0) }
        return try takeRows()
    }

    /// Ends the text.
    ///
    /// - Returns: the remaining batches.
    package func finish() throws -> [ImportBatch] {
        splitter.finish()
        var batches = try takeRows()
        if failure == nil && !ends.isEmpty { batches.append(takeBatch()) }
        return batches
    }

    /// Throws the error in the text read so far, if there is one after the returned batches.
    package func check() throws { if let failure { throw failure } }

    private func takeRows() throws -> [ImportBatch] {
        var batches: [ImportBatch] = []
        do {
            while let row = try splitter.next() {
                bytes += row
                ends.append(bytes.count)
                if let line = splitter.line { lines.append(line) }
                if ends.count == batchSize || bytes.count >= Self.mostBytes {
                    batches.append(takeBatch())
                }
            }
        } catch {
            // Complete batches are imported, however the text is divided into pieces.
            if batches.isEmpty { throw error }
            failure = error
        }
        return batches
    }

    private func takeBatch() -> ImportBatch {
        defer {
            firstRow += ends.count
            bytes = []
            ends = []
            lines = []
        }
        return ImportBatch(
            rows: .texts(bytes, ends: ends, lines: lines.isEmpty ? nil : lines),
            firstRow: firstRow, bytes: offset)
    }
}

/// Divides a text that arrives in pieces into rows.
protocol RowSplitter: AnyObject {
    /// The line number of the last row, from 1; nil if rows are not lines and are known to be JSON.
    var line: Int? { get }
    func add(_ piece: UnsafeRawBufferPointer)
    /// Ends the text: no more pieces follow.
    func finish()
    /// Returns the next row, which is valid until the next call.
    ///
    /// Nil if the next row needs more of the text, and after the last row.
    ///
    /// - Throws: ``RecordStackError/Code/importFailed`` if the text is not JSON, or has no rows
    ///   where they should be.
    func next() throws -> UnsafeRawBufferPointer?
}

/// A buffer to which pieces are appended at the end and from which bytes are dropped at the front.
struct PieceBuffer: ~Copyable {
    private var memory: UnsafeMutableRawBufferPointer
    private var first = 0
    private var end = 0

    init() {
        memory = .allocate(byteCount: 1 << 16, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// The current bytes, valid until the next call that changes the buffer.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[first..<end]) }

    mutating func drop(_ count: Int) { first += count }

    mutating func append(_ piece: UnsafeRawBufferPointer) {
        let count = end - first
        if count + piece.count > memory.count {
            let larger = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(memory.count * 2, count + piece.count), alignment: 16)
            larger.copyMemory(from: bytes)
            memory.deallocate()
            memory = larger
        } else if first > 0 && count > 0 {
            // The two regions may overlap.
            memory.baseAddress?.copyMemory(from: memory.baseAddress! + first, byteCount: count)
        }
        (first, end) = (0, count)
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: piece)
        end += piece.count
    }
}

/// Divides a text into its lines.
final class LineSplitter: RowSplitter {
    private var buffer = PieceBuffer()
    private var isFinished = false
    private var isAtStart = true
    /// The number of bytes in the buffer that are known to have no line feed.
    private var searched = 0

    private(set) var line: Int? = 0

    func add(_ piece: UnsafeRawBufferPointer) { buffer.append(piece) }

    func finish() { isFinished = true }

    func next() throws -> UnsafeRawBufferPointer? {
        let bytes = buffer.bytes
        if isAtStart && (bytes.count >= 3 || isFinished) {
            isAtStart = false
            if bytes.starts(with: [0xEF, 0xBB, 0xBF] as [UInt8]) { buffer.drop(3) }
        }
        if isAtStart { return nil }
        return nextLine()
    }

    private func nextLine() -> UnsafeRawBufferPointer? {
        while true {
            let bytes = buffer.bytes
            let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
            if end == nil && (!isFinished || bytes.isEmpty) {
                searched = bytes.count
                return nil
            }
            let line = UnsafeRawBufferPointer(rebasing: bytes[..<(end ?? bytes.count)])
            buffer.drop(min(line.count + 1, bytes.count))
            searched = 0
            self.line? += 1
            if !line.isBlank { return line }
        }
    }
}
