import RecordStackModel

/// Merges rows into the registered objects that have them.
final class RefreshSink: RowSink {
    let context: ManagedObjectContext
    /// The origin of the rows; by default ``ChangeOrigin/base``.
    var source = ChangeOrigin.base
    private(set) var found: Set<Int64> = []

    init(context: ManagedObjectContext) {
        self.context = context
    }

    func wants(key: Int64, version: RowVersion, entity: Int) -> Bool {
        found.insert(key)
        return true
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {
        guard let object = context.table(of: entity).object(key) else { return }
        let batch = RowBatch(copying: cells)
        let all = SlotSet(all: batch.width)
        // A row that is read before its commit is merged is a change of another context, too.
        let isUnheard = source.keepsConflicts && version != object.rowVersion
        let source = isUnheard ? .others : source
        context.merger.mergeRow(
            batch, row: 0, slots: all, own: all, version: version, into: object, from: source,
            under: context.parentView.ancestorMask(of: object, from: source))
    }
}
