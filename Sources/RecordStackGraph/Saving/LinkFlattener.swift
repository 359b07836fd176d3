import RecordStackModel

/// Lays the edits of pairs of a context over those of its ancestors: what the store is told.
struct LinkFlattener {
    let coordinator: PersistentStoreCoordinator

    /// - Parameters:
    ///   - levels: the edits of each level, the topmost context first.
    ///   - isGone: whether the save deletes the object of a key at an end.
    func flatten(
        _ levels: [[LinkChanges]], isGone: (Linkage.End, Int64) -> Bool
    ) -> [LinkChanges] {
        coordinator.model.linkages.compactMap { linkage in
            let changes = levels.compactMap { $0.first { $0.linkage == linkage.index } }
            if changes.isEmpty { return nil }
            var edits = LinkEdits()
            for level in changes { lay(level, over: &edits) }
            var result = edits.changes(linkage: linkage.index)
            let isRelatable: (LinkChanges.Row) -> Bool = { row in
                !isGone(linkage.first, row.pair.first) && !isGone(linkage.second, row.pair.second)
            }
            result.added = result.added.filter(isRelatable)
            result.moved = result.moved.filter(isRelatable)
            return result
        }
    }

    private func lay(_ changes: LinkChanges, over edits: inout LinkEdits) {
        for pair in changes.removed {
            let above = edits[pair]
            // What a level above has added is not in the store, unless a save may have written it before.
            let isNew = above?.kind == .added && above?.isUncertain == false
            edits[pair] = isNew ? nil : removal(of: pair, in: changes, over: above)
        }
        for row in changes.added {
            let above = edits[row.pair]
            var edit = above ?? LinkEdit(kind: .added, serial: 0)
            edit.isUncertain = isUncertain(row.pair, in: changes, over: above)
            // What a level above has removed is in the store, unless a save may have removed it before; what it has
            // moved likewise.
            if edit.kind != .added { edit.kind = edit.isUncertain ? .added : .moved }
            edit.place(like: row)
            let isNothing =
                edit.kind == .moved && edit.position == nil && edit.inversePosition == nil
            edits[row.pair] = isNothing ? nil : edit
        }
        for row in changes.moved {
            var edit = edits[row.pair] ?? LinkEdit(kind: .moved, serial: 0)
            edit.place(like: row)
            edits[row.pair] = edit
        }
    }

    private func removal(
        of pair: LinkPair, in changes: LinkChanges, over above: LinkEdit?
    ) -> LinkEdit {
        LinkEdit(
            kind: .removed, serial: 0, isUncertain: isUncertain(pair, in: changes, over: above))
    }

    private func isUncertain(
        _ pair: LinkPair, in changes: LinkChanges, over above: LinkEdit?
    ) -> Bool {
        above?.isUncertain == true || changes.uncertain.contains(pair)
    }
}
