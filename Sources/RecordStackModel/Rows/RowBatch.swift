/// Rows of one width, kept by value: what a save captured, what an import staged.
///
/// A batch is written by the one who made it and never changed once it has been handed on.
///
/// - Note: `@unchecked Sendable`: `append` is called only while the batch is being made, by its
///   maker alone; after it has become part of a change set nothing writes to it, except the cell
///   before a row that a reader uses for its own report, and batches are read by one context at
///   a time under ``withRow(_:_:)``'s own copy of that cell.
package final class RowBatch: @unchecked Sendable {
    package let width: Int
    // @exclusivity(unchecked): a batch is filled by one writer before it is shared, and only read afterwards.

    @exclusivity(unchecked) @usableFromInline package private(set) var count = 0
    @exclusivity(unchecked) private var capacity: Int
    @exclusivity(unchecked) @usableFromInline private(set) var cells: UnsafeMutablePointer<Cell>
    /// The bytes of the rows; nil before the first one.
    @exclusivity(unchecked) private var arena: ByteArena?

    /// - Parameter capacity: for how many rows there is memory from the beginning. A batch for none takes none: most
    ///   saves either insert or update.
    package init(width: Int, capacity: Int = 1) {
        self.width = width
        self.capacity = capacity
        cells = capacity == 0 ? Self.noCells : .allocate(capacity: capacity * width + 1)
    }

    /// A batch of one row that was lent.
    package convenience init(copying row: borrowing RowCells) {
        self.init(width: row.count)
        append(copying: row)
    }

    /// Appends a row that was lent.
    package func append(copying row: borrowing RowCells) {
        // A closure cannot take the lent row along, so its cells go before it.
        var lent: [Cell] = []
        for slot in 0..<row.count { lent.append(row.cell(at: slot)) }
        append { writer in
            for cell in lent { writer.append(copying: cell) }
        }
    }

    deinit {
        if capacity > 0 { cells.deallocate() }
    }

    /// Stands for memory of no size.
    private static var noCells: UnsafeMutablePointer<Cell> {
        // No null pointer, which alone would make this nil; nothing is read or written there.
        UnsafeMutablePointer(bitPattern: MemoryLayout<Cell>.alignment)!
    }

    /// Appends the rows that `body` writes, `width` cells each, and says how many came.
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

    /// The first cell of a row; valid as long as the batch is.
    @inlinable
    package func cells(ofRow row: Int) -> UnsafePointer<Cell> {
        precondition(row >= 0 && row < count, "row outside of the batch")
        return UnsafePointer(cells + row * width)
    }

    /// Lends a row to generated code.
    @inlinable
    package func withRow<Result>(
        _ row: Int, _ body: (borrowing RowCells) throws -> Result
    ) rethrows -> Result {
        let source = cells(ofRow: row)
        // The report's cell must not be shared between readers, so the row is copied beside one.
        return try withUnsafeTemporaryAllocation(of: Cell.self, capacity: width + 1) { scratch in
            // The allocation has width + 1 cells, so it has an address.
            let base = scratch.baseAddress! + 1
            base[-1] = .null
            base.update(from: source, count: width)
            return try body(RowCells(base: base, count: width))
        }
    }

    /// The value of one cell, copied.
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

    /// A batch with the rows of another one.
    package convenience init(copying other: RowBatch) {
        self.init(width: other.width, capacity: other.count + 1)
        for row in 0..<other.count { append(values: other.values(row: row)) }
    }

    /// The values of a row, copied.
    package func values(row: Int) -> [StoredValue] {
        (0..<width).map { storedValue(row: row, slot: $0) }
    }
}
