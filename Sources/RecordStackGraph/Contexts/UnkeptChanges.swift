import RecordStackModel

/// Tells whether dirty objects of a table have changed that the caller of a ``LookupTable`` did not keep.
///
/// If none has, an index that was asked for a key needs not be asked again, and needs not take in what the caller keeps.
struct UnkeptChanges {
    private var rows: PendingRows?
    private var mark: PendingRows.Mark?
    /// True before ``begin(_:)``, too.
    private(set) var areSome = true

    /// Forgets earlier changes, right after the indexes of dirty objects were asked.
    mutating func begin(_ table: EntityTable) {
        rows = table.pending
        mark = rows?.mark
        areSome = rows == nil
    }

    /// Looks at the changes since the last call.
    /// - Parameter kept: the key of the only object that may be among them.
    mutating func note(in table: EntityTable, kept: Int64? = nil) {
        if areSome { return }
        guard let mark, let rows, rows === table.pending, let keys = rows.touched(since: mark)
        else { return areSome = true }
        if keys.isEmpty { return }
        areSome = keys.contains { $0 != kept }
        self.mark = rows.mark
    }
}
