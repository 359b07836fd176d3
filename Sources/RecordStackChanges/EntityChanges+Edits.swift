package import RecordStackModel

// Access to the changes of an entity row by row.
extension EntityChanges {
    package func edit(ofUpdate index: Int) -> RowEdit {
        let update = updates[index]
        return RowEdit(
            kind: .updated, version: update.version, slots: update.slots,
            values: updated.values(row: index), base: bases.values(row: index))
    }

    /// Returns the edit of an inserted row.
    ///
    /// A merge compares a re-inserted row with the other side's row as if it were the update that
    /// was made before the row was deleted. If the changed slots of that update are unknown, all
    /// slots count as changed.
    package func edit(ofInsertion index: Int) -> RowEdit {
        let (key, width) = (insertedKeys[index], inserted.width)
        let update = updatesOfDeleted[key]
        return RowEdit(
            kind: .inserted, version: reinsertedVersions[key] ?? .noRow,
            slots: update?.slots ?? SlotSet(all: width), values: inserted.values(row: index),
            base: update?.bases ?? [StoredValue](repeating: .null, count: width))
    }

    package func edit(of deletion: Deletion) -> RowEdit {
        let none = [StoredValue](repeating: .null, count: updated.width)
        return RowEdit(
            kind: .deleted, version: deletion.version,
            slots: deletion.seen == nil ? SlotSet() : SlotSet(all: none.count), values: none,
            base: deletion.seen ?? none)
    }

    /// Calls `body` for each changed row: first inserted, then updated, then deleted rows.
    package func forEachEdit(_ body: (RowKey, RowEdit) throws -> Void) rethrows {
        for (index, key) in insertedKeys.enumerated() {
            try body(RowKey(entity: entity, key: key), edit(ofInsertion: index))
        }
        for index in updates.indices {
            try body(RowKey(entity: entity, key: updates[index].key), edit(ofUpdate: index))
        }
        for deletion in deletions {
            try body(RowKey(entity: entity, key: deletion.key), edit(of: deletion))
        }
    }

    package mutating func append(_ edit: RowEdit, of key: Int64) {
        switch edit.kind {
        case .inserted:
            insertedKeys.append(key)
            inserted.append(values: edit.values)
        case .updated:
            updates.append(Update(key: key, version: edit.version, slots: edit.slots))
            updated.append(values: edit.values)
            bases.append(values: edit.base)
        case .deleted:
            deletions.append(
                Deletion(
                    key: key, version: edit.version,
                    seen: edit.slots.isEmpty ? nil : edit.base))
        case .cancelled: discardedInsertKeys.append(key)
        }
    }

    /// Returns the same changes without inserted, updated and deleted rows.
    package var withoutRows: EntityChanges {
        var result = self
        (result.insertedKeys, result.updates) = ([], [])
        if !deletions.isEmpty { result.deletions = [] }
        result.inserted = RowBatch(width: inserted.width, capacity: insertedKeys.count)
        result.updated = RowBatch(width: updated.width, capacity: updates.count)
        result.bases = RowBatch(width: updated.width, capacity: updates.count)
        return result
    }
}
