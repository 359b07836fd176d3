import RecordStackModel

// Merges deletions by other contexts and by this one.
extension CommitMerger {
    /// Merges the deletions of an entity.
    ///
    /// - Returns: the keys of the rows that are gone.
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

    /// Whether an ancestor is going to re-insert a row, so that its deletion is known.
    private func awaitsReinsertionAbove(_ key: Int64, entity: Int) -> Bool {
        context.ancestors.contains {
            $0.table(of: entity).object(key)?.awaitsReinsertion == true
        }
    }

    /// Whether an object has read its row.
    ///
    /// The row may be a re-inserted one, which was read before the old row's deletion was merged.
    private static func showsRow(_ object: ManagedObject) -> Bool {
        object.has(ObjectFlags.stored) && !object.has(ObjectFlags.fault)
    }

    /// Whether an object shows a row whose insertion is merged later.
    private func isInsertedAhead(_ object: ManagedObject, in table: EntityTable) -> Bool {
        guard !pendingCommits.isEmpty,
            let next = insertionsAhead(in: table.hierarchy)[object.keyValue]
        else { return false }
        return next.index >= pendingCommits.startIndex && object.rowVersion >= next.version
    }

    /// Returns the rows that pending commits insert, with the commit's index and the row's version.
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

    /// Merges the deletion of all stored rows of an entity up to a key.
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
        // The row is gone, so an ancestor that has deleted it cannot undo the deletion any more.
        object.apply(.inheritanceEnded)
        if !object.has(ObjectFlags.orphaned) {
            context.repair.keepChanges(ofDeleted: object, in: table)
        }
    }

    /// Detaches an object and removes it from all relationships.
    func detach(_ object: ManagedObject, in table: EntityTable) {
        context.members.forgetMembers(of: object)
        context.members.leaveMemberKeys(object)
        table.unregister(object, isGone: true)
    }
}
