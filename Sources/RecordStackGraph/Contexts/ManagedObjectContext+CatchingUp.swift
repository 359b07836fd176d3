import RecordStackModel

extension ManagedObjectContext {
    /// Has the ancestors look by version at what they hold, where one of them holds an older row than a change below it
    /// was made of. A child that reads may meet what is committed before its ancestors hear of it; what it makes of
    /// that means something else on top of the older row, and nothing where it is the older value.
    func letAncestorsCatchUp() {
        var (below, isAhead) = ([self], false)
        while let ancestor = below[below.count - 1].parentContext, !isAhead {
            isAhead = below.contains { $0.hasChangedNewerRow(than: ancestor) }
            below.append(ancestor)
        }
        if isAhead { parentContext?.forEachUp { $0.demandRefreshByVersion() } }
    }

    private func hasChangedNewerRow(than ancestor: ManagedObjectContext) -> Bool {
        tables.indices.contains { index in
            let above = ancestor.tables[index]
            if above.map.count == 0 { return false }
            return tables[index].listed.contains { mine in
                guard let object = above.object(mine.keyValue) else { return false }
                return !object.has(ObjectFlags.fault | ObjectFlags.inserted)
                    && !mine.has(ObjectFlags.inserted) && object.rowVersion < mine.rowVersion
            }
        }
    }
}
