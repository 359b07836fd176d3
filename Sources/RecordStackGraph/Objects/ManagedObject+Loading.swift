import RecordStackModel

// Stored values come into an object here, or by its setters.
extension ManagedObject {
    /// Reads all slots of a row.
    @inline(__always)
    final func loadValues(_ row: borrowing RowCells) {
        tellIfWatched()
        load(row)
    }

    /// Reads some slots of a row. Relationships that lead back are told by the caller.
    @inline(__always)
    final func loadValues(_ row: borrowing RowCells, slots: SlotSet) {
        tellIfWatched()
        load(row, slots: slots)
    }

    /// Reads some slots of a row of a batch, and tells relationships that lead back.
    final func loadValues(_ batch: RowBatch, row: Int, slots: SlotSet) {
        changingReferences(in: slots) {
            batch.withRow(row) { loadValues($0, slots: slots) }
        }
    }
}
