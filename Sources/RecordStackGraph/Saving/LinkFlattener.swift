import RecordStackModel

/// Lays the edits of pairs of a context over those of its ancestors: what the store is told.
struct LinkFlattener {
    let coordinator: PersistentStoreCoordinator

    /// - Parameters:
    ///   - levels: the edits of each level, the root's child first.
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
            // What a level above has added is not in the store.
            let isNew = edits[pair]?.kind == .added
            edits[pair] = isNew ? nil : LinkEdit(kind: .removed, serial: 0)
        }
        for row in changes.added {
            var edit = edits[row.pair] ?? LinkEdit(kind: .added, serial: 0)
            // What a level above has removed is in the store.
            if edit.kind == .removed { edit.kind = .moved }
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
}
