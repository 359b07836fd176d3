import RecordStackModel

// What others, or this context, have deleted in the store.
extension ManagedObjectContext {
    /// - Returns: the keys of what is not there any more.
    func mergeDeletions(
        _ changes: EntityChanges, in table: EntityTable, from source: MergeSource
    ) -> [Int64] {
        var deleted: [Int64] = []
        func delete(_ key: Int64, unless isThereAgain: (ManagedObject) -> Bool) {
            guard let object = table.object(key) else {
                deleted.append(key)
                return memberKeysFollow(deletionOf: key, entity: changes.entity)
            }
            if Self.showsRow(object) && isThereAgain(object) { return }
            deleted.append(key)
            mergeDeletion(of: object, table: table, from: source)
        }
        for deletion in changes.deletions {
            delete(deletion.key) { $0.rowVersion >= deletion.version + versionGap / 2 }
        }
        if changes.goneKeys.isEmpty { return deleted }
        let ahead = insertionsAhead(in: table.hierarchy)
        for key in changes.goneKeys {
            delete(key) { object in ahead[key].map { object.rowVersion >= $0 } ?? false }
        }
        return deleted
    }

    /// Whether an object has read its row: perhaps one that was inserted again, before the deletion of the old one was
    /// heard of.
    private static func showsRow(_ object: ManagedObject) -> Bool {
        object.has(ObjectFlags.stored) && !object.has(ObjectFlags.fault)
    }

    /// The rows of a hierarchy whose insertion is merged after what is being merged: their versions, by key.
    private func insertionsAhead(in hierarchy: Int) -> [Int64: Int64] {
        var versions: [Int64: Int64] = [:]
        for entry in entriesAhead {
            for entity in entry.changes.entities
            where coordinator.model.modelEntities[entity.entity].hierarchy == hierarchy {
                for key in entity.insertedKeys {
                    versions[key] = entity.reinsertedVersions[key] ?? firstVersion
                }
            }
        }
        return versions
    }

    /// All objects of an entity that are in the store were deleted there.
    func mergeEmptying(_ entity: Int, upTo last: Int64, from source: MergeSource) {
        let table = table(of: entity)
        let stored = table.map.objects().filter {
            $0.has(ObjectFlags.stored) && $0.keyValue <= last && entityIndex(of: $0) == entity
        }
        if stored.isEmpty { return }
        let ahead = insertionsAhead(in: table.hierarchy)
        for object in stored where !Self.showsRow(object) || ahead[object.keyValue] == nil {
            mergeDeletion(of: object, table: table, from: source)
        }
    }

    func mergeDeletion(of object: ManagedObject, table: EntityTable, from source: MergeSource) {
        let isSettled =
            !object.has(ObjectFlags.listed) || object.isToDelete || !object.hasRowChanges
            || source.isOwn && source.isSettledDeletion(of: object, entity: entityIndex(of: object))
        if isSettled { return giveUp(object, in: table) }
        // An ancestor whose deletion it was cannot take it back any more.
        object.bits &= ~ObjectFlags.overlaid
        if !object.has(ObjectFlags.deletedThere) { keepChanges(ofDeleted: object, in: table) }
    }

    /// Detaches an object, which leaves all relationships.
    func giveUp(_ object: ManagedObject, in table: EntityTable) {
        forgetMembers(of: object)
        leaveMemberKeys(object)
        table.unregister(object, isGone: true)
    }
}
