import RecordStackModel

/// Detects changes of dirty objects in a table that the caller of a ``LookupTable`` did not keep.
///
/// Without such changes, an index that was searched for a key need not be searched again, and need
/// not insert the objects that the caller keeps.
struct UnkeptChanges {
    private var rows: PendingRows?
    private var mark: PendingRows.Mark?
    /// True if there are such changes, and before ``begin(_:)``.
    private(set) var areSome = true

    /// Forgets earlier changes, right after the indexes of dirty objects were searched.
    mutating func begin(_ table: EntityTable) {
        rows = table.pending
        mark = rows?.mark
        areSome = rows == nil
    }

    /// Checks the changes since the last call.
    ///
    /// - Parameter kept: The key of the only object that may be among them.
    mutating func note(in table: EntityTable, kept: Int64? = nil) {
        if areSome { return }
        guard let mark, let rows, rows === table.pending, let keys = rows.touched(since: mark)
        else { return areSome = true }
        if keys.isEmpty { return }
        areSome = keys.contains { $0 != kept }
        self.mark = rows.mark
    }
}
