import RecordStackChanges
import RecordStackModel

// Compares a child's changes with what its parent or another stack has changed since.
extension PushReceiver {
    /// Reads the rows of a child's changes, and returns those that the child has not seen.
    ///
    /// Another stack may have saved rows that no context of this stack has merged.
    ///
    /// - Returns: the rows, and the objects of the changes. The caller must hold the objects to
    ///   keep them.
    func rowsMoved(
        under changes: ChangeSet
    ) throws -> (rows: [StaleRow], held: [ManagedObject]) {
        var (rows, held) = ([StaleRow](), [ManagedObject]())
        func look(
            at key: Int64, _ entity: Int, isGone: Bool = false,
            isSeen: (ManagedObject) -> Bool
        ) throws {
            if context.isKnownToBeGone(key: key, entity: entity) { return }
            if let object = try liveObject(key, of: entity) {
                held.append(object)
                if isSeen(object) { return }
                rows.append(
                    StaleRow(
                        entity: entity, key: key,
                        current: (object.rowVersion, object.shownRow())))
            } else if !isGone {
                rows.append(StaleRow(entity: entity, key: key, current: nil))
            }
        }
        for changes in changes.entities {
            let entity = changes.entity
            for update in changes.updates {
                try look(at: update.key, entity) { $0.rowVersion <= update.version }
            }
            for deletion in changes.deletions {
                try look(at: deletion.key, entity) { $0.rowVersion <= deletion.version }
            }
            // The parent may not have read that the row is deleted. Then nothing differs. If the
            // parent re-inserts the row, too, both contexts have values for it.
            for (key, version) in changes.reinsertedVersions {
                try look(at: key, entity, isGone: true) {
                    !$0.awaitsReinsertion && !$0.rowVersion.isReinsertion(since: version)
                }
            }
        }
        return (rows, held)
    }

    /// Throws a conflict for each update of a row that a context further up has deleted.
    ///
    /// That deletion is not a change of this context, so a child's push cannot undo it.
    func refuseUpdatesOfDeleted(
        _ changes: ChangeSet, but resolutions: [RowKey: Resolution]
    ) throws {
        let gone = changes.entities.flatMap { entity in
            entity.updates.map { RowKey(entity: entity.entity, key: $0.key) }
                .filter {
                    context.isKnownToBeGone(key: $0.key, entity: $0.entity)
                        && resolutions[$0] == nil
                }
        }
        if gone.isEmpty { return }
        throw RecordStackError.conflict(
            gone.map {
                MergeConflict(
                    objectID: coordinator.objectID(entity: $0.entity, key: $0.key),
                    kind: .deletedElsewhere)
            })
    }

    /// Returns the changes that this context shows of the rows that a child has changed.
    ///
    /// They include the changes of its ancestors.
    func edits(_ own: ChangeSet, under changes: ChangeSet) -> [RowKey: RowEdit] {
        var edits: [RowKey: RowEdit] = [:]
        for entity in own.entities { entity.forEachEdit { edits[$0] = $1 } }
        for entity in changes.entities { inherit(entity, into: &edits) }
        return edits
    }

    /// Adds the updated and deleted rows that this context shows as an ancestor has changed them.
    ///
    /// For the child, the ancestor's changes count like its parent's own changes.
    private func inherit(_ changes: EntityChanges, into edits: inout [RowKey: RowEdit]) {
        let table = table(of: changes.entity)
        let all = SlotSet(all: changes.updated.width)
        let keys =
            changes.updates.map { ($0.key, SlotSet()) } + changes.deletions.map { ($0.key, all) }
        for (key, slots) in keys {
            guard let object = table.object(key), object.has(ObjectFlags.inheritsEdits),
                !object.has(ObjectFlags.inserted | ObjectFlags.fault | ObjectFlags.deleted)
            else { continue }
            let row = RowKey(entity: changes.entity, key: key)
            if edits[row] != nil {
                // A deletion is compared with the whole row, even if the parent has changed only a
                // part of it.
                edits[row]?.slots.formUnion(slots)
                continue
            }
            let values = object.shownRow().values(row: 0)
            edits[row] = RowEdit(
                kind: .updated, version: object.rowVersion, slots: slots, values: values,
                base: values)
        }
    }
}
