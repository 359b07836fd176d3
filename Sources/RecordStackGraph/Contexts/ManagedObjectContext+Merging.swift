import RecordStackModel

extension ManagedObjectContext {
    /// Takes in what was committed since the last time: its own saves as acknowledgements, others'
    /// as merges. Objects that are registered change; nothing is read from the store.
    func drainInbox() {
        guard inbox.hasContents else { return }
        let (entries, isCollapsed) = inbox.takeAll()
        for entry in entries {
            let isOwn = entry.origins.contains(inbox.number)
            mergedLevel = entry.levels[inbox.number]
            for changes in entry.changes.entities { merge(changes, isOwn: isOwn) }
        }
        mergedLevel = nil
        for table in tables where table.hasDiffering {
            table.pruneListed()
            table.pruneOverlaid()
        }
        if isCollapsed { needsRefreshByVersion = true }
    }

    /// Takes in what was committed, outside of any operation.
    func drainUnasked() {
        guard !isClosed, activeReader == nil else { return }
        drainInbox()
    }

    private func merge(_ changes: EntityChanges, isOwn: Bool) {
        let table = table(of: changes.entity)
        if table.map.count == 0 && loadedMembers.isEmpty { return }
        for (row, key) in changes.insertedKeys.enumerated() {
            if let object = table.object(key) {
                acknowledgeInsertion(object, changes, row)
            } else {
                memberKeysFollow(insertionOf: key, in: changes, row: row)
            }
        }
        for (row, update) in changes.updates.enumerated() {
            if let object = table.object(update.key) {
                merge(update, of: changes, row: row, into: object, isOwn: isOwn)
            } else {
                memberKeysFollow(update, in: changes, row: row)
            }
        }
        for deletion in changes.deletions {
            if let object = table.object(deletion.key) {
                mergeDeletion(of: object, table: table, isOwn: isOwn)
            } else {
                memberKeysFollow(deletionOf: deletion.key, entity: changes.entity)
            }
        }
    }

    /// An object that was new is in the store now. What was written to it since it was captured
    /// stays as a change of the saved values.
    private func acknowledgeInsertion(
        _ object: ManagedObject, _ changes: EntityChanges, _ row: Int
    ) {
        guard !object.has(ObjectFlags.stored) else { return }
        object.bits |= ObjectFlags.stored
        object.rowVersion = firstVersion
        if object.has(ObjectFlags.overlaid) {
            object.bits &= ~(ObjectFlags.overlaid | ObjectFlags.deleted)
            object.load(changes.inserted, row: row, slots: SlotSet(all: changes.inserted.width))
            return
        }
        object.bits &= ~ObjectFlags.inserted
        object.writtenValue = 0
        object.recordValue?.forgetChanges()
        if object.has(ObjectFlags.deleted) { return }
        for slot in 0..<changes.inserted.width {
            let saved = changes.inserted.cell(row: row, slot: slot)
            let now = object.storedValue(at: slot)
            if saved.stores(now) { continue }
            if let captured = mergedLevel?.value(
                entity: changes.entity, key: object.keyValue, slot: slot),
                captured.isStoredSame(as: now)
            {
                object.setStoredValues([(slot, saved.storedValue)])
                continue
            }
            object.record.setOldValue(saved.storedValue, of: slot)
            object.markWritten(slot)
        }
        unlistIfClean(object)
    }

    private func merge(
        _ update: EntityChanges.Update, of changes: EntityChanges, row: Int,
        into object: ManagedObject, isOwn: Bool
    ) {
        if object.has(ObjectFlags.fault) {
            memberKeysFollow(update, in: changes, row: row)
            return
        }
        // A context that missed a change, or has an ancestor's values, takes the whole row.
        let takesAll =
            object.rowVersion < update.version || object.has(ObjectFlags.overlaid)
        let slots = takesAll ? SlotSet(all: changes.updated.width) : update.slots
        if object.has(ObjectFlags.overlaid) {
            object.bits &= ~(ObjectFlags.overlaid | ObjectFlags.deleted)
        }
        // What was deleted here and changed there is found by the version when it is saved.
        if object.has(ObjectFlags.deleted) || object.rowVersion > update.version { return }
        mergeRow(
            changes.updated, row: row, slots: slots, version: update.version + 1, into: object,
            isOwn: isOwn)
    }

    /// Gives an object what was committed, but for what was written here since.
    func mergeRow(
        _ batch: RowBatch, row: Int, slots: SlotSet, version: Int64, into object: ManagedObject,
        isOwn: Bool
    ) {
        object.bits &= ~ObjectFlags.fault
        object.rowVersion = version
        guard object.has(ObjectFlags.listed) else {
            object.load(batch, row: row, slots: slots)
            return
        }
        var plain = SlotSet()
        slots.forEach { slot in
            if object.isWritten(slot) {
                settle(slot, of: object, saved: batch.cell(row: row, slot: slot), isOwn)
            } else {
                plain.insert(slot)
            }
        }
        object.load(batch, row: row, slots: plain)
        unlistIfClean(object)
    }

    /// A slot that was written here is committed: by this context, or by another.
    private func settle(_ slot: Int, of object: ManagedObject, saved: Cell, _ isOwn: Bool) {
        if saved.stores(object.storedValue(at: slot)) {
            object.unmarkWritten(slot)
            object.recordValue?.forget(slot)
        } else if isOwn && gaveWay(slot, of: object) {
            object.unmarkWritten(slot)
            object.recordValue?.forget(slot)
            object.setStoredValues([(slot, saved.storedValue)])
        } else if isOwn {
            object.record.setOldValue(saved.storedValue, of: slot)
            object.record.conflicts.removeAll { $0.slot == slot }
        } else if let old = object.recordValue?.oldValue(of: slot), !saved.stores(old) {
            object.record.setConflict(slot, theirs: saved.storedValue)
        }
    }

    /// Whether a slot has the value that it had when it was captured, so that what was saved
    /// instead came from a context below.
    private func gaveWay(_ slot: Int, of object: ManagedObject) -> Bool {
        let now = object.storedValue(at: slot)
        let entity = entityIndex(of: object)
        let captured =
            mergedLevel?.value(entity: entity, key: object.keyValue, slot: slot)
            ?? object.recordValue?.oldValue(of: slot)
        return captured?.isStoredSame(as: now) ?? false
    }

    func mergeDeletion(of object: ManagedObject, table: EntityTable, isOwn: Bool) {
        let isChanged = object.has(ObjectFlags.listed) && !object.has(ObjectFlags.deleted)
        if isChanged && !isOwn && object.hasChanges {
            object.bits |= ObjectFlags.deletedThere
            return
        }
        forgetMembers(of: object)
        leaveMemberKeys(object)
        table.unregister(object)
    }

    /// An object without a difference left is kept alive by nothing but the program.
    func unlistIfClean(_ object: ManagedObject) {
        guard object.writtenValue == 0, object.recordValue?.writtenHigh.isEmpty ?? true,
            !object.has(ObjectFlags.inserted | ObjectFlags.deleted)
        else { return }
        object.bits &= ~ObjectFlags.listed
        object.recordValue?.forgetChanges()
    }
}

extension Cell {
    /// Whether the cell keeps just this value.
    func stores(_ value: StoredValue) -> Bool {
        switch (tag, value) {
        case (.null, .null): true
        case (.integer, .integer(let other)): integer == other
        case (.real, .real(let other)): real == other
        case (.text, .text(let other)):
            other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
                ?? bytes.elementsEqual(other.utf8)
        case (.blob, .blob(let other)): bytes.elementsEqual(other)
        default: false
        }
    }
}
