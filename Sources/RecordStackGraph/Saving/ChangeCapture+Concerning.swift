import RecordStackModel

// A push needs only some of its parent's edits: those of the objects that the child has changed,
// and those of the objects to which the child's objects refer or referred.
extension ChangeCapture {
    /// Captures the edits that a child's changes must be compared with, without validating them.
    func uncheckedChanges(concerning changes: ChangeSet) -> ChangeSet {
        var keys = tables.map { _ in Set<Int64>() }
        for changes in changes.entities { note(changes, in: &keys) }
        for changes in changes.links { note(changes, in: &keys) }
        let dirtyObjects = zip(tables, keys).map { table, keys in
            ContiguousArray(
                keys.sorted().compactMap { table.object($0) }.filter { $0.has(ObjectFlags.dirty) })
        }
        var unused = ValidationResult()
        unused.isChecking = false
        return captureChanges(
            of: dirtyObjects, links: changes.links.isEmpty ? [] : captureLinks(), &unused)
    }

    private func note(_ changes: EntityChanges, in keys: inout [Set<Int64>]) {
        let model = coordinator.model
        let entity = model.modelEntities[changes.entity]
        keys[entity.hierarchy].formUnion(changes.insertedKeys)
        keys[entity.hierarchy].formUnion(changes.updates.map(\.key))
        keys[entity.hierarchy].formUnion(changes.deletions.map(\.key))
        keys[entity.hierarchy].formUnion(changes.discardedInsertKeys)
        keys[entity.hierarchy].formUnion(changes.alreadyDeletedKeys)
        for relationship in entity.relationships {
            guard let slot = relationship.slot else { continue }
            let hierarchy = model.modelEntities[relationship.destination].hierarchy
            for batch in [changes.inserted, changes.updated, changes.bases] {
                for row in 0..<batch.count {
                    if case .integer(let key) = batch.cell(row: row, slot: slot).storedValue {
                        keys[hierarchy].insert(key)
                    }
                }
            }
        }
    }

    private func note(_ changes: LinkChanges, in keys: inout [Set<Int64>]) {
        let model = coordinator.model
        let joinTable = model.joinTables[changes.joinTable]
        let first = model.modelEntities[joinTable.first.entity].hierarchy
        let second = model.modelEntities[joinTable.second.entity].hierarchy
        for joinRow in changes.removed + (changes.added + changes.moved).map(\.joinRow) {
            keys[first].insert(joinRow.first)
            keys[second].insert(joinRow.second)
        }
    }
}
