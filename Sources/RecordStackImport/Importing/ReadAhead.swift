import Dispatch
import RecordStackModel

/// Reads the rows of an array of JSON, batch by batch: on another thread while the batch before is imported.
///
/// - Note: `@unchecked Sendable`: it is used by one thread at a time. The one that imports hands it to the queue
///   with ``begin(_:)``, and does not touch it, nor the mappings that it reads into, before ``finish()`` has waited for
///   the queue.
final class ReadAhead: @unchecked Sendable {
    private var scanner: JSONScanner
    private let reader: RowReader
    private let batchSize: Int
    private var number: Int
    /// Whether there are no more rows.
    private(set) var isAtEnd = false
    private var result: Result<[StagedRow], any Error> = .success([])
    private let queue = DispatchQueue(label: "RecordStack.import")

    /// - Parameter rows: the text of the array, which stays where it is.
    init(_ rows: UnsafeRawBufferPointer, batchSize: Int, firstRow: Int) throws {
        scanner = JSONScanner(rows)
        reader = RowReader(source: rows)
        self.batchSize = batchSize
        number = firstRow
        _ = try scanner.next()
    }

    /// How much of the text was read.
    var offset: Int { scanner.offset }

    /// Reads the next batch at once.
    func read(into mapping: ImportMapping) throws -> [StagedRow] {
        var rows: [StagedRow] = []
        rows.reserveCapacity(min(batchSize, 1_000))
        while rows.count < batchSize {
            let element = try scanner.next()
            if element == .endArray {
                isAtEnd = true
                break
            }
            rows.append(try reader.read(element, &scanner, mapping, number: number))
            number += 1
        }
        return rows
    }

    /// Begins to read the next batch.
    func begin(_ mapping: ImportMapping) {
        // It is of the mappings that nobody uses meanwhile.
        nonisolated(unsafe) let mapping = mapping
        queue.async { [self] in result = Result { try read(into: mapping) } }
    }

    /// Waits for the batch that was begun.
    func finish() throws -> [StagedRow] {
        queue.sync {}
        return try result.get()
    }
}
