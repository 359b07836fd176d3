package import RecordStackModel

/// Makes batches of rows of the pieces of a text.
package final class ImportFeed {
    private let splitter: any RowSplitter
    private let batchSize: Int
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var lines: [Int] = []
    private var firstRow = 0
    /// What ends the import when the batches before it are done with.
    private var failure: (any Error)?
    /// How many bytes were added.
    package private(set) var offset = 0
    /// A batch of long rows is cut off before it has all of its rows.
    private static let mostBytes = 8 << 20

    /// - Throws: misuse for a key path that cannot be read.
    package init(
        _ options: ImportOptions, at keyPath: String?, entity: EntityDescription
    ) throws {
        batchSize = options.batchSize
        splitter =
            options.format == .ndjson
            ? LineSplitter() : JSONRowSplitter(try JSONLocation(keyPath, entity: entity))
    }

    /// Adds a piece.
    /// - Returns: the batches that are complete with it, behind which something may be wrong: see ``check()``.
    package func add(_ piece: [UInt8]) throws -> [ImportBatch] {
        offset += piece.count
        piece.withUnsafeBytes { splitter.add($0) }
        return try takeRows()
    }

    /// - Returns: what is left, when there are no more pieces.
    package func finish() throws -> [ImportBatch] {
        splitter.finish()
        var batches = try takeRows()
        if failure == nil && !ends.isEmpty { batches.append(takeBatch()) }
        return batches
    }

    /// Whether the text could be read until now, behind the batches that were given out as well.
    /// - Throws: what is wrong with it.
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
            // What was complete before is imported, however the text is divided into pieces.
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

/// Divides a text that comes in pieces into rows.
protocol RowSplitter: AnyObject {
    /// The line that the last row is, from 1; nil where rows are more than lines, and are known to be JSON.
    var line: Int? { get }
    func add(_ piece: UnsafeRawBufferPointer)
    /// There are no more pieces.
    func finish()
    /// The next row, valid until the next call; nil where more of the text is needed, and after the last one.
    /// - Throws: ``RecordStackError/Code/importFailed`` where the text is no JSON, or has no rows where they should be.
    func next() throws -> UnsafeRawBufferPointer?
}

/// Bytes that come in pieces at one end and are done with at the other.
struct PieceBuffer: ~Copyable {
    private var memory: UnsafeMutableRawBufferPointer
    private var first = 0
    private var end = 0

    init() {
        memory = .allocate(byteCount: 1 << 16, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// What is there; valid until the next call that changes it.
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
            // They may overlap.
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
    /// How much of the buffer has no end of a line in it.
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
