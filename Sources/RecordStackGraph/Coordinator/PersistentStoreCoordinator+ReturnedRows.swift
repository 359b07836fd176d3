import RecordStackModel

extension PersistentStoreCoordinator {
    /// Removes re-inserted rows from the rows that a save treats as already deleted.
    ///
    /// The save's context had merged the deletion of these rows when it was captured. If a row
    /// exists again when the save is written, the save leaves it out. The context then merges the
    /// row like any row of another context.
    func leavingOutReturned(_ changes: ChangeSet) throws -> ChangeSet {
        if !changes.hasGoneKeys { return changes }
        var entities = changes.entities
        let reader = try store.reader()
        defer { reader.end() }
        for index in entities.indices where !entities[index].alreadyDeletedKeys.isEmpty {
            let there = KeySink()
            let root = rootEntity(of: entities[index].entity)
            try reader.keys(.keys(entities[index].alreadyDeletedKeys, entity: root), into: there)
            entities[index].alreadyDeletedKeys.removeAll(where: Set(there.keys).contains)
        }
        return ChangeSet(
            entities: entities, links: changes.links, isTruncated: changes.isTruncated)
    }

    /// Gives the rows that the save re-inserts an incarnation that no row has had before.
    func withIncarnations(_ changes: ChangeSet) throws -> ChangeSet {
        let all = changes.entities
        if !all.indices.contains(where: { !all[$0].reinsertedVersions.isEmpty }) { return changes }
        let entities = try all.map { entity in
            if entity.reinsertedVersions.isEmpty { return entity }
            let hierarchy = model.modelEntities[entity.entity].hierarchy
            let last = entity.reinsertedVersions.values.map(\.incarnation).max() ?? 0
            let incarnation = try store.leaseIncarnation(hierarchy: hierarchy, after: last)
            return entity.reinserting(as: RowVersion(incarnation: incarnation))
        }
        return ChangeSet(
            entities: entities, links: changes.links, isTruncated: changes.isTruncated)
    }
}
