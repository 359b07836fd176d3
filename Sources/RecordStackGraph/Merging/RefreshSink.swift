import RecordStackModel

/// Merges rows into the objects that hold them.
final class RefreshSink: RowSink {
    let context: ManagedObjectContext
    /// Whose the rows are taken for; the program's own base where it does not say.
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
        // What is read before it was heard of is others' change, too.
        let isUnheard = source.keepsConflicts && version != object.rowVersion
        let source = isUnheard ? .others : source
        context.merger.mergeRow(
            batch, row: 0, slots: all, own: all, version: version, into: object, from: source,
            under: context.parentView.ancestorMask(of: object, from: source))
    }
}
