import RecordStackChanges
import RecordStackModel

// Decides which values of a saved row an object takes, and which of its own changes it keeps.
extension CommitMerger {
    /// Gives an object the values of a newer row, except for those that were changed here.
    ///
    /// - Parameter own: the slots that the origin has saved. The other slots are as other contexts
    ///   have left them.
    /// - Parameter mask: the object's slots that ancestors have changed.
    func mergeRow(
        _ batch: RowBatch, row: Int, slots: SlotSet, own: SlotSet, version: RowVersion,
        into object: ManagedObject, from source: ChangeOrigin,
        under mask: AncestorMask = AncestorMask()
    ) {
        if object.isFault { context.didLoad(object) }
        // The indexes of stored rows change even if the object takes no value.
        object.tellIfWatched()
        object.apply(.valuesLoaded)
        object.rowVersion = version
        guard object.has(ObjectFlags.dirty) else {
            object.loadValues(batch, row: row, slots: slots)
            return showAncestors(in: object)
        }
        let entity = entityIndex(of: object)
        let saved = self.source(source, of: object)
        var taken = SlotSet()
        slots.forEach { slot in
            if mask.carries.contains(slot) { return }
            let source = own.contains(slot) ? saved : .others
            let cell = batch.cell(row: row, slot: slot)
            let isMasked = mask.hides.contains(slot)
            switch takes(cell, slot, of: object, entity: entity, from: source, isMasked) {
            case .asItIs, .not: break
            case .anew: taken.insert(slot)
            }
        }
        if !taken.isEmpty { object.loadValues(batch, row: row, slots: taken) }
        showAncestors(in: object)
        object.recordValue?.isRemotelyModified = !source.isOwn
        markCleanIfUnchanged(object)
    }

    /// Shows the ancestors' changes again, except in slots that were changed here.
    private func showAncestors(in object: ManagedObject) {
        guard object.has(ObjectFlags.inheritsEdits),
            let above = context.parentView.changedAbove(object), !above.isFault
        else { return }
        var slots = SlotSet()
        for slot in 0..<type(of: object).slotCount
        where !object.isWritten(slot) && context.parentView.isChangedAbove(slot, in: object) {
            slots.insert(slot)
        }
        if !slots.isEmpty { object.loadValues(above.shownRow(), row: 0, slots: slots) }
    }

    private enum Taking {
        /// The object has the value already.
        case asItIs
        case anew
        case not
    }

    /// Decides whether an object takes the saved value of a slot.
    ///
    /// Otherwise, the value becomes the base of the local change, or it is recorded as a conflict.
    /// If an ancestor's change hides the slot, the value can only be recorded as a conflict.
    private func takes(
        _ saved: Cell, _ slot: Int, of object: ManagedObject, entity: Int,
        from source: ChangeOrigin, _ isMasked: Bool
    ) -> Taking {
        guard object.isWritten(slot) else { return .anew }
        var source = source.asSeen(slot, of: object, entity: entity)
        let now = object.storedValue(at: slot)
        if let base = source.overruled(slot, of: object, entity: entity, by: saved, now: now) {
            // The later change is a change of the captured value.
            object.record.setOldValue(base, of: slot)
            source = .others
        }
        let origin = source.rowOrigin
        var merge = slotMerge(saved, slot, of: object, entity: entity, over: origin)
        if source.isOwn && !merge.isSame
            && context.isOvertaken(slot, of: object, entity: entity, now)
        {
            merge.isAcknowledged = true
        } else {
            merge.isAcknowledged = source.isAcknowledged(slot, of: object, entity: entity, now: now)
            // While a save writes an earlier value, the change is a change of the value that it
            // leaves.
            merge.mustStay =
                isMasked
                || !source.isOwnSave && context.isBeingSaved(slot, of: object, entity: entity)
        }
        guard apply(merge, over: origin, saved, slot, of: object) else { return .not }
        return merge.isSame && saved.isReadAsWritten ? .asItIs : .anew
    }

    /// Returns the facts about a changed slot and the value of a newer row.
    func slotMerge(
        _ theirs: Cell, _ slot: Int, of object: ManagedObject, entity: Int, over origin: RowOrigin
    ) -> SlotMerge {
        let record = object.recordValue
        var merge = SlotMerge(
            isSame: theirs.stores(object.storedValue(at: slot)),
            isBase: record?.oldValue(of: slot).map(theirs.stores) ?? true)
        merge.isCleared =
            theirs.tag == .null && context.agrees(on: theirs, slot, of: object, entity: entity)
        merge.hasConflict = record?.hasConflict(on: slot) ?? false
        merge.isTorn = record?.isTorn(slot) ?? false
        // The parent has merged all commits before the context merges the first of them.
        if origin == .parentRow || origin == .parentEdit {
            merge.isBaseLost = context.parentView.isBaseLost(slot, of: object)
        }
        return merge
    }

    /// Applies the outcome of a merge of a changed slot.
    ///
    /// - Returns: true if the change has ended, so that the object takes the row's value.
    func apply(
        _ merge: SlotMerge, over origin: RowOrigin, _ theirs: Cell, _ slot: Int,
        of object: ManagedObject
    ) -> Bool {
        switch merge.outcome(over: origin) {
        case .ends:
            object.unmarkWritten(slot)
            object.recordValue?.forget(slot)
            return true
        case .stays: break
        case .fits: object.recordValue?.forgetConflict(slot)
        case .rebases:
            object.record.setOldValue(theirs.storedValue, of: slot)
            object.record.forgetConflict(slot)
            context.parentView.noteBaseOrigin(of: slot, in: object)
        case .conflicts:
            object.record.setConflict(
                slot, theirs: theirs.storedValue, isTorn: merge.isBaseLost)
            if merge.isBaseLost { object.record.setBaseOrigin(nil, of: slot) }
            context.repair.pending.insert(.conflicts)
        }
        return false
    }
}
