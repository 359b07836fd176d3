import RecordStackModel

// What a push hands over when the parent's changes have been heard.

extension ChangeFlattener.Result {
    var hasDecided: Bool {
        !yields.isEmpty || !given.isEmpty || !spared.isEmpty || !restored.isEmpty
    }
}

extension ChangeSet {
    /// The changes without what has given way to the parent's, and with the values that a policy gave.
    func givingWay(to merged: ChangeFlattener.Result) -> ChangeSet {
        if merged.yields.isEmpty && merged.given.isEmpty && merged.spared.isEmpty { return self }
        return ChangeSet(
            entities: entities.map { $0.givingWay(to: merged) }, links: links,
            isPartial: isPartial)
    }

    func writes(_ key: Int64, entity: Int) -> Bool {
        entities.contains { changes in
            changes.entity == entity
                && (changes.updates.contains { $0.key == key }
                    || changes.insertedKeys.contains(key))
        }
    }
}

extension EntityChanges {
    /// The same for rows that are to be inserted again: the parent has changed them, too.
    private mutating func giveWayAgain(to merged: ChangeFlattener.Result) {
        for (row, key) in insertedKeys.enumerated() where reinsertedVersions[key] != nil {
            let place = ChangeFlattener.Place(entity: entity, key: key)
            if let yielded = merged.yields[place], var update = overtakenUpdates[key] {
                update.slots = update.slots.subtracting(yielded)
                overtakenUpdates[key] = update
            }
            guard let given = merged.given[place] else { continue }
            var rows = insertedKeys.indices.map { inserted.values(row: $0) }
            for (slot, value) in given {
                rows[row][slot] = value
                overtakenUpdates[key]?.slots.insert(slot)
            }
            inserted = RowBatch(width: inserted.width, capacity: rows.count)
            for values in rows { inserted.append(values: values) }
        }
    }

    func givingWay(to merged: ChangeFlattener.Result) -> EntityChanges {
        var result = self
        result.giveWayAgain(to: merged)
        result.deletions.removeAll { merged.spared.contains(.init(entity: entity, key: $0.key)) }
        result.updates = []
        result.updated = RowBatch(width: updated.width, capacity: updates.count)
        result.bases = RowBatch(width: updated.width, capacity: updates.count)
        for (row, update) in updates.enumerated() {
            let place = ChangeFlattener.Place(entity: entity, key: update.key)
            var slots = update.slots.subtracting(merged.yields[place] ?? SlotSet())
            var values = updated.values(row: row)
            for (slot, value) in merged.given[place] ?? [] {
                slots.insert(slot)
                values[slot] = value
            }
            if slots.isEmpty { continue }
            result.updates.append(Update(key: update.key, version: update.version, slots: slots))
            result.updated.append(values: values)
            result.bases.append(values: bases.values(row: row))
        }
        return result
    }
}
