/// Rows of one width as values, such as those that a save captured or an import staged.
///
/// The creator of a batch fills it. A batch does not change after it has been shared.
///
/// - Note: `@unchecked Sendable`: only the creator calls `append`, before it shares the batch.
///   After that, nothing writes to the batch. ``withRow(_:_:)`` and `RowLender` copy a row before
///   they lend it, because a reader writes its report into the cell before the row.
package final class RowBatch: @unchecked Sendable {
    package let width: Int
    // @exclusivity(unchecked): one writer fills a batch before it is shared; then it is only read.

    @exclusivity(unchecked) @usableFromInline package private(set) var count = 0
    @exclusivity(unchecked) private var capacity: Int
    @exclusivity(unchecked) @usableFromInline private(set) var cells: UnsafeMutablePointer<Cell>
    /// The bytes of the rows; nil before the first row.
    @exclusivity(unchecked) private var arena: ByteArena?

    /// - Parameter capacity: the number of rows to allocate memory for. A capacity of 0 allocates
    ///   no memory: most saves either insert or update, so many batches stay empty.
    package init(width: Int, capacity: Int = 1) {
        self.width = width
        self.capacity = capacity
        cells = capacity == 0 ? Self.noCells : .allocate(capacity: capacity * width + 1)
    }

    /// Creates a batch with a copy of one lent row.
    package convenience init(copying row: borrowing RowCells) {
        self.init(width: row.count)
        append(copying: row)
    }

    /// Appends a copy of a lent row.
    package func append(copying row: borrowing RowCells) {
        // The closure cannot capture the lent row, so its cells are copied first.
        var lent: [Cell] = []
        for slot in 0..<row.count { lent.append(row.cell(at: slot)) }
        append { writer in
            for cell in lent { writer.append(copying: cell) }
        }
    }

    deinit {
        if capacity > 0 { cells.deallocate() }
    }

    /// The address of a batch without memory.
    private static var noCells: UnsafeMutablePointer<Cell> {
        // Only the bit pattern 0 makes this nil. Nothing is read or written at this address.
        UnsafeMutablePointer(bitPattern: MemoryLayout<Cell>.alignment)!
    }

    /// Appends rows, for which `body` writes `width` cells each.
    package func append(rows: Int, _ body: (inout CellWriter) -> Void) {
        if rows == 0 { return }
        reserve(count + rows)
        let arena =
            arena ?? ByteArena(firstChunk: min(max(256, capacity * width * 8), 1 << 18))
        self.arena = arena
        var writer = CellWriter(
            cells: UnsafeMutableBufferPointer(start: cells + count * width, count: rows * width),
            arena: arena)
        body(&writer)
        precondition(writer.remaining == 0, "fewer values than the entity has slots")
        writer.finish()
        count += rows
    }

    /// Appends one row.
    package func append(_ body: (inout CellWriter) -> Void) { append(rows: 1, body) }

    private func reserve(_ rows: Int) {
        guard rows > capacity else { return }
        let wanted = max(rows, capacity * 2)
        let larger = UnsafeMutablePointer<Cell>.allocate(capacity: wanted * width + 1)
        if capacity > 0 {
            larger.update(from: cells, count: count * width)
            cells.deallocate()
        }
        cells = larger
        capacity = wanted
    }

    @inlinable
    package func cell(row: Int, slot: Int) -> Cell { cells(ofRow: row)[slot] }

    /// Returns the first cell of a row, which is valid as long as the batch exists.
    @inlinable
    package func cells(ofRow row: Int) -> UnsafePointer<Cell> {
        precondition(row >= 0 && row < count, "row outside of the batch")
        return UnsafePointer(cells + row * width)
    }

    /// Lends a copy of a row to generated code.
    @inlinable
    package func withRow<Result>(
        _ row: Int, _ body: (borrowing RowCells) throws -> Result
    ) rethrows -> Result {
        let source = cells(ofRow: row)
        // Readers must not share the cell for the report, so each call copies the row
        // behind a new cell.
        return try withUnsafeTemporaryAllocation(of: Cell.self, capacity: width + 1) { scratch in
            // The allocation has width + 1 cells, so it has an address.
            let base = scratch.baseAddress! + 1
            base[-1] = .null
            base.update(from: source, count: width)
            return try body(RowCells(base: base, count: width))
        }
    }

    /// Returns a copy of the value of one cell.
    package func storedValue(row: Int, slot: Int) -> StoredValue {
        cell(row: row, slot: slot).storedValue
    }
}

extension RowBatch {
    /// Appends one row of values.
    package func append(values: [StoredValue]) {
        append { writer in
            for value in values { writer.append(value) }
        }
    }

    /// Creates a batch with copies of the rows of another batch.
    package convenience init(copying other: RowBatch) {
        self.init(width: other.width, capacity: other.count + 1)
        for row in 0..<other.count { append(values: other.values(row: row)) }
    }

    /// Returns copies of the values of a row.
    package func values(row: Int) -> [StoredValue] {
        (0..<width).map { storedValue(row: row, slot: $0) }
    }
}
