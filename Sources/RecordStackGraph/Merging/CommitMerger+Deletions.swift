import RecordStackModel

// What others, or this context, have deleted in the store.
extension CommitMerger {
    /// - Returns: the keys of what is not there any more.
    func mergeDeletions(
        _ changes: EntityChanges, in table: EntityTable, from source: ChangeOrigin
    ) -> [Int64] {
        var deleted: [Int64] = []
        func delete(_ key: Int64, unless isThereAgain: (ManagedObject) -> Bool) {
            let object = table.object(key)
            if object?.awaitsReinsertion == true
                || awaitsReinsertionAbove(key, entity: changes.entity)
            {
                return
            }
            guard let object else {
                deleted.append(key)
                return context.members.memberKeysFollow(deletionOf: key, entity: changes.entity)
            }
            if Self.showsRow(object) && isThereAgain(object) { return }
            deleted.append(key)
            mergeDeletion(of: object, table: table, from: source)
        }
        for deletion in changes.deletions {
            delete(deletion.key) { $0.rowVersion.isReinsertion(since: deletion.version) }
        }
        for key in changes.alreadyDeletedKeys {
            delete(key) { isInsertedAhead($0, in: table) }
        }
        return deleted
    }

    /// Whether an ancestor is to insert a row again: that it is gone is known.
    private func awaitsReinsertionAbove(_ key: Int64, entity: Int) -> Bool {
        context.ancestors.contains {
            $0.table(of: entity).object(key)?.awaitsReinsertion == true
        }
    }

    /// Whether an object has read its row: perhaps one that was inserted again, before the deletion of the old one was
    /// heard of.
    private static func showsRow(_ object: ManagedObject) -> Bool {
        object.has(ObjectFlags.stored) && !object.has(ObjectFlags.fault)
    }

    /// Whether an object shows the row of an insertion that is merged later.
    private func isInsertedAhead(_ object: ManagedObject, in table: EntityTable) -> Bool {
        guard !pendingCommits.isEmpty,
            let next = insertionsAhead(in: table.hierarchy)[object.keyValue]
        else { return false }
        return next.index >= pendingCommits.startIndex && object.rowVersion >= next.version
    }

    /// The rows that are inserted by what is merged after this: where that is and in which version, by hierarchy and key.
    private func insertionsAhead(in hierarchy: Int) -> [Int64: (index: Int, version: RowVersion)] {
        if let known = cachedInsertionsAhead[hierarchy] { return known }
        var found: [Int64: (index: Int, version: RowVersion)] = [:]
        for (index, entry) in zip(pendingCommits.indices, pendingCommits) {
            for entity in entry.changes.entities
            where coordinator.model.modelEntities[entity.entity].hierarchy == hierarchy {
                for key in entity.insertedKeys {
                    found[key] = (index, entity.reinsertedVersions[key] ?? .first)
                }
            }
        }
        cachedInsertionsAhead[hierarchy] = found
        return found
    }

    /// All objects of an entity that are in the store were deleted there.
    func mergeEmptying(_ entity: Int, upTo last: Int64, from source: ChangeOrigin) {
        let table = table(of: entity)
        let gone = table.map.objects().filter {
            $0.has(ObjectFlags.stored) && $0.keyValue <= last && entityIndex(of: $0) == entity
                && !(Self.showsRow($0) && isInsertedAhead($0, in: table))
        }
        for object in gone { mergeDeletion(of: object, table: table, from: source) }
    }

    func mergeDeletion(of object: ManagedObject, table: EntityTable, from source: ChangeOrigin) {
        let isAcknowledged =
            !object.has(ObjectFlags.dirty) || object.isToDelete || !object.hasRowChanges
            || source.isOwn
                && source.isAcknowledgedDeletion(of: object, entity: entityIndex(of: object))
        if isAcknowledged { return detach(object, in: table) }
        // An ancestor whose deletion it was cannot take it back any more.
        object.apply(.inheritanceEnded)
        if !object.has(ObjectFlags.orphaned) {
            context.repair.keepChanges(ofDeleted: object, in: table)
        }
    }

    /// Detaches an object, which leaves all relationships.
    func detach(_ object: ManagedObject, in table: EntityTable) {
        context.members.forgetMembers(of: object)
        context.members.leaveMemberKeys(object)
        table.unregister(object, isGone: true)
    }
}
