import RecordStackModel

// What merge policies have decided, when the save is acknowledged.
extension CommitMerger {
    /// A save of this context or a relative has taken others' values, or has not deleted after all.
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

    /// An object that was to be deleted is there.
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

    /// Undoes the deletion of an object that a child goes on with.
    func restore(_ key: Int64, entity: Int) {
        let table = table(of: entity)
        guard let object = table.object(key), object.isToDelete else { return }
        context.restore(object, in: table)
        table.pruneDirtyObjects()
    }

    /// Merges a row that was deleted and that this context or another has re-inserted.
    func mergeReinsertion(
        of object: ManagedObject, _ changes: EntityChanges, _ row: Int, version: RowVersion,
        from source: ChangeOrigin
    ) {
        if object.rowVersion > version { return }
        // Both this context and another have re-inserted the row: the save finds the other's row.
        if object.awaitsReinsertion && !source.isReinsertion(of: object, in: context) {
            return meetReinserted(object)
        }
        if object.isToDelete {
            return noteReinserted(ofDeleted: object, as: version, from: source)
        }
        let effects = object.apply(.rowReinserted)
        let all = SlotSet(all: changes.inserted.width)
        forgetBaseOrigins(of: all, in: object, savedBy: source)
        endOverlay(of: object)
        mergeRow(
            changes.inserted, row: row, slots: all, own: source.isOwn ? all : SlotSet(),
            version: version, into: object, from: source)
        if effects.contains(.shows) { context.members.reenterMemberKeys(object) }
    }

    /// Both this context and another have re-inserted a row: the next save finds the other's row. An object that rests
    /// on an ancestor's re-insertion knows that there is a row.
    func meetReinserted(_ object: ManagedObject) {
        if object.has(ObjectFlags.inserted) { return }
        if object.isToDelete {
            return noteReinserted(ofDeleted: object, as: object.rowVersion, from: .others)
        }
        object.apply(.rowFound)
    }

    /// Another context has re-inserted a row that is to be deleted here: the new row is not the one deleted here.
    func noteReinserted(
        ofDeleted object: ManagedObject, as version: RowVersion, from source: ChangeOrigin
    ) {
        object.rowVersion = source.isOwn ? version : min(object.rowVersion, version.previous)
        object.apply(.rowInserted)
        object.markStale()
    }
}
