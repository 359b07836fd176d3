import RecordStackModel

extension ParentView {
    /// Has the ancestors look by version at what they hold, where one of them holds an older row than a change below it
    /// was made of. A child that reads may meet what is committed before its ancestors hear of it; what it makes of
    /// that means something else on top of the older row, and nothing where it is the older value.
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

    /// The flags of objects that read their row when they are next used, have none, or show an ancestor's.
    private static var catchesUpOtherwise: UInt64 {
        ObjectFlags.fault | ObjectFlags.inserted | ObjectFlags.deleted | ObjectFlags.inheritsEdits
    }

    /// Whether this context holds an older row of an object that was changed below it.
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
