import RecordStackModel

// Every stored value enters an object through these functions or through a setter.
extension ManagedObject {
    /// Loads all slots of a row.
    @inline(__always)
    final func loadValues(_ row: borrowing RowCells) {
        tellIfWatched()
        load(row)
    }

    /// Loads some slots of a row. The caller updates inverse relationships.
    @inline(__always)
    final func loadValues(_ row: borrowing RowCells, slots: SlotSet) {
        tellIfWatched()
        load(row, slots: slots)
    }

    /// Loads some slots of a batch's row, and updates inverse relationships.
    final func loadValues(_ batch: RowBatch, row: Int, slots: SlotSet) {
        changingReferences(in: slots) {
            batch.withRow(row) { loadValues($0, slots: slots) }
        }
    }
}

extension ManagedObject {
    /// Returns the values that the object shows, as a row.
    final func shownRow() -> RowBatch {
        willAccessValue()
        let batch = RowBatch(width: type(of: self).slotCount)
        batch.append { write(to: &$0) }
        return batch
    }
}
