import Dispatch
import RecordStackModel

/// Reads the rows of a JSON array in batches, on another thread while the batch before is imported.
///
/// - Note: `@unchecked Sendable`: one thread at a time uses an instance. The importing thread hands
///   it to the queue with ``begin(_:)``. Until ``finish()`` has waited for the queue, that thread
///   touches neither the instance nor the mappings that it reads into.
final class ReadAhead: @unchecked Sendable {
    private var scanner: JSONScanner
    private let reader: RowReader
    private let batchSize: Int
    private var number: Int
    /// True if all rows were read.
    private(set) var isAtEnd = false
    private var result: Result<[StagedRow], any Error> = .success([])
    private let queue = DispatchQueue(label: "RecordStack.import")

    /// Creates a reader.
    ///
    /// - Parameter rows: the text of the array, which must stay in memory.
    init(_ rows: UnsafeRawBufferPointer, batchSize: Int, firstRow: Int) throws {
        scanner = JSONScanner(rows)
        reader = RowReader(source: rows)
        self.batchSize = batchSize
        number = firstRow
        _ = try scanner.next()
    }

    /// The number of bytes that were read.
    var offset: Int { scanner.offset }

    /// Reads the next batch on the calling thread.
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

    /// Begins to read the next batch on the queue.
    func begin(_ mapping: ImportMapping) {
        // `nonisolated(unsafe)`: no other code uses this set of mappings until
        // `finish()` has returned.
        nonisolated(unsafe) let mapping = mapping
        queue.async { [self] in result = Result { try read(into: mapping) } }
    }

    /// Waits for the batch that was begun, and returns it.
    func finish() throws -> [StagedRow] {
        queue.sync {}
        return try result.get()
    }
}
