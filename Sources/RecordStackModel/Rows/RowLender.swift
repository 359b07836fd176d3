/// Lends rows of batches of one width to generated code, one after another, and no more of each than
/// is to be read.
///
/// A row cannot be lent where it lies: the cell before it takes a reader's report, and several contexts
/// may read one batch at a time. It is copied beside a cell of the lender's own.
package struct RowLender: ~Copyable {
    /// The report's cell, and behind it those of a row.
    private let cells: UnsafeMutablePointer<Cell>
    private let width: Int

    package init(width: Int) {
        self.width = width
        cells = .allocate(capacity: width + 1)
        cells.initialize(repeating: .null, count: width + 1)
    }

    deinit {
        cells.deallocate()
    }

    /// Some slots of a row, for as long as the batch is there and nothing else was lent. What is in the
    /// other slots is not said.
    package func row(_ row: Int, of batch: RowBatch, slots: SlotSet) -> RowCells {
        precondition(batch.width == width, "a row of another width")
        let source = batch.cells(ofRow: row)
        let base = cells + 1
        cells.pointee = .null
        slots.forEach { slot in
            precondition(slot < width, "slot outside of the row")
            base[slot] = source[slot]
        }
        return RowCells(base: base, count: width)
    }
}
