import RecordStackModel

// Applies the decisions of merge policies when a save is acknowledged.
extension CommitMerger {
    /// Applies a decision of a policy: other values, or a deletion that was dropped.
    ///
    /// The save is one of this context's chain, or one on which the object is based.
    func adopt(_ resolvedRow: ResolvedRow, entity: Int, from source: ChangeOrigin) {
        let table = table(of: entity)
        guard let object = table.object(resolvedRow.key) else { return }
        switch resolvedRow.kind {
        case .restored: restore(object, as: resolvedRow, in: table, from: source)
        case .values(let slots): take(slots, of: resolvedRow, into: object, from: source)
        }
    }

    private func take(
        _ slots: SlotSet, of resolvedRow: ResolvedRow, into object: ManagedObject,
        from source: ChangeOrigin
    ) {
        if object.has(ObjectFlags.deleted) {
            if object.isToDelete && object.awaitsReinsertion {
                noteReinserted(ofDeleted: object, as: resolvedRow.version, from: source)
            } else if object.isToDelete {
                object.markStale()
            }
            return
        }
        if object.awaitsReinsertion {
            object.apply(.gaveWayToReinserted)
            object.rowVersion = min(object.rowVersion, resolvedRow.version.previous)
        }
        if object.has(ObjectFlags.fault) || object.rowVersion > resolvedRow.version { return }
        let batch = RowBatch(width: resolvedRow.row.count)
        batch.append(values: resolvedRow.row)
        let isBehind = object.rowVersion < resolvedRow.version
        mergeRow(
            batch, row: 0, slots: isBehind ? SlotSet(all: batch.width) : slots, own: slots,
            version: resolvedRow.version, into: object, from: source)
    }

    /// Restores an object that was deleted here, because the policy has dropped the deletion.
    private func restore(
        _ object: ManagedObject, as resolvedRow: ResolvedRow, in table: EntityTable,
        from source: ChangeOrigin
    ) {
        if object.has(ObjectFlags.orphaned) {
            return context.parentView.showAgain(object)
        }
        guard object.isToDelete else { return }
        context.restore(object, in: table)
        if object.has(ObjectFlags.stored) { context.parentView.turnIntoFault(object) }
        context.members.forgetOwners(ofMembersIn: table)
        table.pruneDirtyObjects()
    }

    /// Undoes the deletion of an object that a push keeps.
    func restore(_ key: Int64, entity: Int) {
        let table = table(of: entity)
        guard let object = table.object(key), object.isToDelete else { return }
        context.restore(object, in: table)
        table.pruneDirtyObjects()
    }

    /// Merges a deleted row that this context or another one has re-inserted.
    func mergeReinsertion(
        of object: ManagedObject, _ changes: EntityChanges, _ row: Int, version: RowVersion,
        from source: ChangeOrigin
    ) {
        if object.rowVersion > version { return }
        // This context and another one have both re-inserted the row. The save finds the other row.
        if object.awaitsReinsertion && !source.isReinsertion(of: object, in: context) {
            return meetReinserted(object)
        }
        if object.isToDelete {
            return noteReinserted(ofDeleted: object, as: version, from: source)
        }
        let effects = object.apply(.rowReinserted)
        let all = SlotSet(all: changes.inserted.width)
        forgetBaseOrigins(of: all, in: object, savedBy: source)
        endInheritance(of: object)
        mergeRow(
            changes.inserted, row: row, slots: all, own: source.isOwn ? all : SlotSet(),
            version: version, into: object, from: source)
        if effects.contains(.shows) { context.members.reenterMemberKeys(object) }
    }

    /// Handles a row that both this context and another one have re-inserted.
    ///
    /// This context's next save finds the other row. An object that is based on an ancestor's
    /// re-insertion is marked as stored.
    func meetReinserted(_ object: ManagedObject) {
        if object.has(ObjectFlags.inserted) { return }
        if object.isToDelete {
            return noteReinserted(ofDeleted: object, as: object.rowVersion, from: .others)
        }
        object.apply(.rowFound)
    }

    /// Records the re-insertion of a row that this context deletes.
    ///
    /// The new row is not the one that was deleted here.
    func noteReinserted(
        ofDeleted object: ManagedObject, as version: RowVersion, from source: ChangeOrigin
    ) {
        object.rowVersion = source.isOwn ? version : min(object.rowVersion, version.previous)
        object.apply(.rowInserted)
        object.markStale()
    }
}
