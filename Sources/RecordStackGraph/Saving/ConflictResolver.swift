import RecordStackModel

/// Decides what becomes of a save whose rows are not as they were when it was captured.
///
/// Conflicts are per property: where this side and the other changed different ones, both changes
/// stay. Where both changed the same property to different values, the save fails.
struct ConflictResolver {
    let coordinator: PersistentStoreCoordinator

    /// The changes to write instead.
    /// - Throws: ``RecordStackError/Code/conflict`` with all conflicts.
    func resolve(_ changes: ChangeSet, stale: [StaleRow]) throws -> ChangeSet {
        var conflicts: [MergeConflict] = []
        let entities = changes.entities.map { entity in
            let rows = stale.filter { $0.entity == entity.entity }
            return rows.isEmpty ? entity : resolve(entity, rows, &conflicts)
        }
        if !conflicts.isEmpty { throw RecordStackError.conflict(conflicts) }
        return ChangeSet(entities: entities, links: changes.links)
    }

    private func resolve(
        _ changes: EntityChanges, _ stale: [StaleRow], _ conflicts: inout [MergeConflict]
    ) -> EntityChanges {
        let rows = Dictionary(stale.map { ($0.key, $0) }, uniquingKeysWith: { a, _ in a })
        var result = EntityChanges(entity: changes.entity, width: changes.inserted.width)
        result.insertedKeys = changes.insertedKeys
        result.inserted = changes.inserted
        result.cancelledKeys = changes.cancelledKeys
        result.goneKeys = changes.goneKeys
        for deletion in changes.deletions {
            guard let row = rows[deletion.key] else {
                result.deletions.append(deletion)
                continue
            }
            // What is deleted on both sides is deleted.
            if row.current == nil {
                result.goneKeys.append(deletion.key)
                continue
            }
            conflicts.append(MergeConflict(objectID: id(of: row), kind: .deletedHere))
        }
        for (index, update) in changes.updates.enumerated() {
            resolve(update, index, of: changes, rows[update.key], into: &result, &conflicts)
        }
        return result
    }

    private func id(of row: StaleRow) -> ManagedObjectID {
        coordinator.objectID(entity: row.entity, key: row.key)
    }

    private func resolve(
        _ update: EntityChanges.Update, _ index: Int, of changes: EntityChanges,
        _ stale: StaleRow?, into result: inout EntityChanges, _ conflicts: inout [MergeConflict]
    ) {
        let ours = changes.updated.values(row: index)
        let bases = changes.bases.values(row: index)
        guard let stale else {
            result.updates.append(update)
            result.updated.append(values: ours)
            result.bases.append(values: bases)
            return
        }
        guard let current = stale.current else {
            conflicts.append(MergeConflict(objectID: id(of: stale), kind: .deletedThere))
            return
        }
        let theirs = current.values.values(row: 0)
        let properties = clashes(update.slots, bases: bases, ours: ours, theirs: theirs, stale)
        if !properties.isEmpty {
            conflicts.append(
                MergeConflict(
                    objectID: id(of: stale), kind: .changedOnBothSides, properties: properties))
            return
        }
        var merged = theirs
        update.slots.forEach { merged[$0] = ours[$0] }
        result.updates.append(
            EntityChanges.Update(key: update.key, version: current.version, slots: update.slots))
        result.updated.append(values: merged)
        result.bases.append(values: theirs)
    }

    private func clashes(
        _ slots: SlotSet, bases: [StoredValue], ours: [StoredValue], theirs: [StoredValue],
        _ stale: StaleRow
    ) -> [MergeConflict.Property] {
        let names = coordinator.model.modelEntities[stale.entity].description.slots
        var properties: [MergeConflict.Property] = []
        slots.forEach { slot in
            if theirs[slot].isStoredSame(as: bases[slot]) { return }
            if theirs[slot].isStoredSame(as: ours[slot]) { return }
            properties.append(
                MergeConflict.Property(
                    name: names[slot].name, base: bases[slot], ours: ours[slot],
                    theirs: theirs[slot]))
        }
        return properties
    }
}
