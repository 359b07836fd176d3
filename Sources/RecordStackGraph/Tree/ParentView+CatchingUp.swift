import RecordStackModel

extension ParentView {
    /// Makes ancestors compare their objects by version if a change below is based on a newer row.
    ///
    /// A child that reads may see a commit before its ancestors merge it. A change that the child
    /// then makes would be a different change over the ancestors' older row. If the new value is
    /// the older row's, it would be no change at all.
    func letAncestorsCatchUp() {
        guard context.parentContext != nil else { return }
        // The objects that contexts below an ancestor have changed, with the index of their table.
        var (changed, isAhead) = ([(table: Int, objects: ContiguousArray<ManagedObject>)](), false)
        context.forEachUp { context in
            isAhead =
                isAhead
                || changed.contains { context.parentView.isBehind($0.objects, in: $0.table) }
            for (index, table) in context.tables.enumerated() where !table.dirtyObjects.isEmpty {
                changed.append((index, table.dirtyObjects))
            }
        }
        if isAhead {
            for above in context.ancestors { above.versionRefresh.demandRefreshByVersion() }
        }
    }

    /// The flags of objects that read their row later, have no row, or show an ancestor's row.
    private static var catchesUpOtherwise: UInt64 {
        ObjectFlags.fault | ObjectFlags.inserted | ObjectFlags.deleted | ObjectFlags.inheritsEdits
    }

    /// Whether this context has an older row of an object that was changed below it.
    private func isBehind(_ changed: ContiguousArray<ManagedObject>, in tableIndex: Int) -> Bool {
        let table = tables[tableIndex]
        if table.map.count == 0 { return false }
        return changed.contains { below in
            if below.has(ObjectFlags.inserted) { return false }
            guard let object = table.object(below.keyValue) else { return false }
            return !object.has(Self.catchesUpOtherwise) && object.rowVersion < below.rowVersion
        }
    }
}
