import RecordStackModel

/// Lays the changes of a context over those of its ancestors: what the store is told.
struct ChangeFlattener {
    let coordinator: PersistentStoreCoordinator

    private struct Row {
        enum Kind {
            case inserted, updated, deleted, cancelled
        }

        var kind: Kind
        var version: Int64
        var slots: SlotSet
        var values: [StoredValue]
        var bases: [StoredValue]
    }

    private struct Place: Hashable {
        let entity: Int
        let key: Int64
    }

    /// - Parameter levels: the changes of each level, the root's child first.
    /// - Throws: ``RecordStackError/Code/conflict`` where a level changed what the one above it
    ///   has changed since, or deleted.
    func flatten(_ levels: [ChangeSet]) throws -> ChangeSet {
        var rows: [Place: Row] = [:]
        var order: [Place] = []
        var conflicts: [MergeConflict] = []
        for level in levels {
            for changes in level.entities {
                for (key, row) in Self.rows(of: changes) {
                    let place = Place(entity: changes.entity, key: key)
                    guard let above = rows[place] else {
                        rows[place] = row
                        order.append(place)
                        continue
                    }
                    rows[place] = lay(row, over: above, at: place, &conflicts)
                }
            }
        }
        if !conflicts.isEmpty { throw RecordStackError.conflict(conflicts) }
        let gone = Set(
            rows.filter { $0.value.kind == .deleted || $0.value.kind == .cancelled }.keys)
        return ChangeSet(
            entities: build(rows, order),
            links: LinkFlattener(coordinator: coordinator).flatten(levels.map(\.links)) {
                end, key in
                gone.contains { $0.key == key && coordinator.model.areKin($0.entity, end.entity) }
            })
    }

    private func lay(
        _ row: Row, over above: Row, at place: Place, _ conflicts: inout [MergeConflict]
    ) -> Row {
        switch (above.kind, row.kind) {
        case (.deleted, .deleted), (.cancelled, .deleted): return above
        case (.deleted, _), (.cancelled, _):
            let id = coordinator.objectID(entity: place.entity, key: place.key)
            conflicts.append(MergeConflict(objectID: id, kind: .deletedThere))
            return above
        case (.inserted, .deleted):
            var row = row
            row.kind = .cancelled
            return row
        case (.updated, .deleted):
            var row = row
            row.version = above.version
            return row
        default: return merge(row, into: above, at: place, &conflicts)
        }
    }

    private func merge(
        _ row: Row, into above: Row, at place: Place, _ conflicts: inout [MergeConflict]
    ) -> Row {
        var merged = above
        var properties: [MergeConflict.Property] = []
        let names = coordinator.model.modelEntities[place.entity].description.slots
        row.slots.forEach { slot in
            let ours = row.values[slot]
            let theirs = above.values[slot]
            if !theirs.isStoredSame(as: row.bases[slot]) && !theirs.isStoredSame(as: ours) {
                properties.append(
                    MergeConflict.Property(
                        name: names[slot].name, base: row.bases[slot], ours: ours, theirs: theirs))
            }
            if !above.slots.contains(slot) { merged.bases[slot] = row.bases[slot] }
            merged.values[slot] = ours
            merged.slots.insert(slot)
        }
        if !properties.isEmpty {
            let id = coordinator.objectID(entity: place.entity, key: place.key)
            conflicts.append(
                MergeConflict(objectID: id, kind: .changedOnBothSides, properties: properties))
        }
        return merged
    }

    private static func rows(of changes: EntityChanges) -> [(Int64, Row)] {
        let width = changes.inserted.width
        let all = SlotSet(all: width)
        let none = [StoredValue](repeating: .null, count: width)
        let inserted = changes.insertedKeys.enumerated().map { row, key in
            (
                key,
                Row(
                    kind: .inserted, version: 0, slots: all,
                    values: changes.inserted.values(row: row),
                    bases: none)
            )
        }
        let updated = changes.updates.enumerated().map { row, update in
            (
                update.key,
                Row(
                    kind: .updated, version: update.version, slots: update.slots,
                    values: changes.updated.values(row: row), bases: changes.bases.values(row: row))
            )
        }
        let deleted = changes.deletions.map {
            (
                $0.key,
                Row(
                    kind: .deleted, version: $0.version, slots: SlotSet(), values: none, bases: none
                )
            )
        }
        return inserted + updated + deleted
    }

    private func build(_ rows: [Place: Row], _ order: [Place]) -> [EntityChanges] {
        var builders: [Int: EntityChanges] = [:]
        var entities: [Int] = []
        for place in order {
            guard let row = rows[place] else { continue }
            if builders[place.entity] == nil {
                let width = coordinator.model.modelEntities[place.entity].description.slots.count
                builders[place.entity] = EntityChanges(entity: place.entity, width: width)
                entities.append(place.entity)
            }
            append(row, key: place.key, to: &builders[place.entity]!)
        }
        return entities.compactMap { builders[$0] }
    }

    private func append(_ row: Row, key: Int64, to changes: inout EntityChanges) {
        switch row.kind {
        case .inserted:
            changes.insertedKeys.append(key)
            changes.inserted.append(values: row.values)
        case .updated:
            changes.updates.append(
                EntityChanges.Update(key: key, version: row.version, slots: row.slots))
            changes.updated.append(values: row.values)
            changes.bases.append(values: row.bases)
        case .deleted:
            changes.deletions.append(EntityChanges.Deletion(key: key, version: row.version))
        case .cancelled: changes.cancelledKeys.append(key)
        }
    }
}
