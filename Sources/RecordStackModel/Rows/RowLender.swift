/// Lends rows of batches of one width to generated code, one after another.
///
/// A lender cannot lend a row of the batch itself: a reader writes its report into the cell before
/// the row, and several contexts may read one batch at a time. The lender therefore copies the
/// requested slots into its own memory, which begins with a cell for the report.
package struct RowLender: ~Copyable {
    /// The cell for the report, followed by the cells of a row.
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

    /// Lends some slots of a row.
    ///
    /// The result is valid while the batch exists and the lender lends nothing else. The contents
    /// of the other slots are undefined.
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
