import RecordStackModel

/// Composes the join row edits of a context and its ancestors into the changes for the store.
struct LinkFlattener {
    let coordinator: PersistentStoreCoordinator

    /// Returns the composed changes of all join tables.
    ///
    /// - Parameters:
    ///   - levels: the edits of each layer, those of the topmost context first.
    ///   - isGone: whether the save deletes the object that has a key at one end of a join table.
    func flatten(
        _ levels: [[LinkChanges]], isGone: (JoinTable.End, Int64) -> Bool
    ) -> [LinkChanges] {
        coordinator.model.joinTables.compactMap { joinTable in
            let changes = levels.compactMap { $0.first { $0.joinTable == joinTable.index } }
            if changes.isEmpty { return nil }
            var edits = LinkEdits()
            for level in changes { lay(level, over: &edits) }
            var result = edits.changes(joinTable: joinTable.index)
            let isRelatable: (LinkChanges.Row) -> Bool = { row in
                !isGone(joinTable.first, row.joinRow.first)
                    && !isGone(joinTable.second, row.joinRow.second)
            }
            result.added = result.added.filter(isRelatable)
            result.moved = result.moved.filter(isRelatable)
            return result
        }
    }

    private func lay(_ changes: LinkChanges, over edits: inout LinkEdits) {
        for joinRow in changes.removed {
            let above = edits[joinRow]
            // A join row that a layer above has added is not in the store, unless an earlier save
            // may have written it.
            let isNew = above?.kind == .added && above?.isUncertain == false
            edits[joinRow] = isNew ? nil : removal(of: joinRow, in: changes, over: above)
        }
        for row in changes.added {
            let above = edits[row.joinRow]
            var edit = above ?? LinkEdit(kind: .added, serial: 0)
            edit.isUncertain = isUncertain(row.joinRow, in: changes, over: above)
            // A join row that a layer above has removed or moved is in the store, unless an earlier
            // save may have removed it.
            if edit.kind != .added { edit.kind = edit.isUncertain ? .added : .moved }
            edit.takePositions(from: row)
            let isNothing =
                edit.kind == .moved && edit.position == nil && edit.inversePosition == nil
            edits[row.joinRow] = isNothing ? nil : edit
        }
        for row in changes.moved {
            var edit = edits[row.joinRow] ?? LinkEdit(kind: .moved, serial: 0)
            edit.takePositions(from: row)
            edits[row.joinRow] = edit
        }
    }

    private func removal(
        of joinRow: JoinRow, in changes: LinkChanges, over above: LinkEdit?
    ) -> LinkEdit {
        LinkEdit(
            kind: .removed, serial: 0, isUncertain: isUncertain(joinRow, in: changes, over: above))
    }

    private func isUncertain(
        _ joinRow: JoinRow, in changes: LinkChanges, over above: LinkEdit?
    ) -> Bool {
        above?.isUncertain == true || changes.uncertain.contains(joinRow)
    }
}
