import RecordStackModel

// What others, or this context, have deleted in the store.
extension ManagedObjectContext {
    /// - Returns: the keys of what is not there any more.
    func mergeDeletions(
        _ changes: EntityChanges, in table: EntityTable, from source: MergeSource
    ) -> [Int64] {
        var deleted: [Int64] = []
        func delete(_ key: Int64, _ version: Int64?) {
            guard let object = table.object(key) else {
                deleted.append(key)
                return memberKeysFollow(deletionOf: key, entity: changes.entity)
            }
            if isThereAgain(object, deletedIn: version) { return }
            deleted.append(key)
            mergeDeletion(of: object, table: table, from: source)
        }
        for deletion in changes.deletions { delete(deletion.key, deletion.version) }
        for key in changes.goneKeys { delete(key, nil) }
        return deleted
    }

    /// Whether an object shows a row that was inserted again since, or whose insertion is merged next: it was read
    /// before its deletion was heard of.
    /// - Parameter version: that of the row that was deleted, where it is known.
    private func isThereAgain(_ object: ManagedObject, deletedIn version: Int64?) -> Bool {
        if !object.has(ObjectFlags.stored) || object.has(ObjectFlags.fault) { return false }
        if let version { return object.rowVersion >= version + versionGap / 2 }
        let (key, entity) = (object.keyValue, entityIndex(of: object))
        return entriesAhead.contains { entry in
            entry.changes.entities.contains {
                $0.entity == entity && $0.insertedKeys.contains(key)
                    && object.rowVersion >= $0.reinsertedVersions[key] ?? firstVersion
            }
        }
    }

    /// All objects of an entity that are in the store were deleted there.
    func mergeEmptying(_ entity: Int, upTo last: Int64, from source: MergeSource) {
        let table = table(of: entity)
        let gone = table.map.objects().filter {
            $0.has(ObjectFlags.stored) && $0.keyValue <= last && entityIndex(of: $0) == entity
                && !isThereAgain($0, deletedIn: nil)
        }
        for object in gone { mergeDeletion(of: object, table: table, from: source) }
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
