import RecordStackModel

// Which values of a saved row an object takes, and which of its own changes it keeps.
extension ManagedObjectContext {
    /// Gives an object what was committed, but for what was changed here since.
    /// - Parameter own: the slots that were saved, by this context or a relative where the source is
    ///   its own; the others are as other contexts have left them.
    /// - Parameter cover: what ancestors have changed of the object.
    func mergeRow(
        _ batch: RowBatch, row: Int, slots: SlotSet, own: SlotSet, version: RowVersion,
        into object: ManagedObject, from source: MergeSource,
        under cover: AncestorCover = AncestorCover()
    ) {
        if object.isFault { didLoad(object) }
        // The indexes of stored rows change even if the object takes no value.
        object.tellIfWatched()
        object.apply(.valuesLoaded)
        object.rowVersion = version
        guard object.has(ObjectFlags.listed) else {
            object.loadValues(batch, row: row, slots: slots)
            return showAncestors(in: object)
        }
        let entity = entityIndex(of: object)
        let saved = self.source(source, of: object)
        var taken = SlotSet()
        slots.forEach { slot in
            if cover.carries.contains(slot) { return }
            let source = own.contains(slot) ? saved : .others
            let cell = batch.cell(row: row, slot: slot)
            let isHidden = cover.hides.contains(slot)
            switch takes(cell, slot, of: object, entity: entity, from: source, isHidden) {
            case .asItIs, .not: break
            case .anew: taken.insert(slot)
            }
        }
        if !taken.isEmpty { object.loadValues(batch, row: row, slots: taken) }
        showAncestors(in: object)
        object.recordValue?.wasChangedThere = !source.isOwn
        unlistIfClean(object)
    }

    /// What ancestors have changed since shows on, but for what was changed here.
    private func showAncestors(in object: ManagedObject) {
        guard let above = changedAbove(object), !above.isFault else { return }
        var slots = SlotSet()
        for slot in 0..<type(of: object).slotCount
        where !object.isWritten(slot) && isChangedAbove(slot, in: object) {
            slots.insert(slot)
        }
        if !slots.isEmpty { object.loadValues(Self.row(of: above), row: 0, slots: slots) }
    }

    private enum Taking {
        /// The object has the value already.
        case asItIs
        case anew
        case not
    }

    /// Whether an object takes the saved value of a slot. If not, it is kept as what the change made
    /// here is a change of, or as what it is in conflict with; the latter alone where an ancestor's change hides it.
    private func takes(
        _ saved: Cell, _ slot: Int, of object: ManagedObject, entity: Int,
        from source: MergeSource, _ isHidden: Bool
    ) -> Taking {
        guard object.isWritten(slot) else { return .anew }
        var source = source.asSeen(slot, of: object, entity: entity)
        let now = object.storedValue(at: slot)
        if let base = source.overruled(slot, of: object, entity: entity, by: saved, now: now) {
            // What was changed here since is a change of what was to be saved.
            object.record.setOldValue(base, of: slot)
            source = .others
        }
        let isSame = saved.stores(now)
        if source.isOwn && !isSame && isOvertaken(slot, of: object, entity: entity, now) {
            object.unmarkWritten(slot)
            object.recordValue?.forget(slot)
            return .anew
        }
        let isAgreed =
            isSame && mayAgree(saved, slot, of: object, entity: entity, from: source)
            || source.isSettled(slot, of: object, entity: entity, now: now)
        // Under a save of what was there before, it is a change of what that leaves.
        if isAgreed && !isHidden
            && (source.isOwnSave || !isBeingSaved(slot, of: object, entity: entity))
        {
            object.unmarkWritten(slot)
            object.recordValue?.forget(slot)
            return isSame && saved.isReadAsWritten ? .asItIs : .anew
        }
        if source.keepsConflicts {
            noteLostBase(saved, slot, of: object)
        } else if source.isOwn {
            object.record.setOldValue(saved.storedValue, of: slot)
            object.record.forgetConflict(slot)
        } else if let old = object.recordValue?.oldValue(of: slot), !saved.stores(old) {
            object.record.setConflict(slot, theirs: saved.storedValue)
            mayHaveConflicts = true
        } else if object.recordValue?.isTorn(slot) != true {
            object.recordValue?.forgetConflict(slot)
        }
        return .not
    }

    /// A change that was made on top of an ancestor's value is in conflict with what shows where that value is gone,
    /// unless the same value shows: it was saved then.
    func noteLostBase(_ now: Cell, _ slot: Int, of object: ManagedObject) {
        guard let record = object.recordValue, let old = record.oldValue(of: slot) else { return }
        if now.stores(old) && !record.hasConflict(on: slot) { return }
        record.setConflict(slot, theirs: now.storedValue)
        mayHaveConflicts = true
    }

    /// Whether the saved value, which is what the object has as well, ends its change.
    private func mayAgree(
        _ saved: Cell, _ slot: Int, of object: ManagedObject, entity: Int, from source: MergeSource
    ) -> Bool {
        if source.isOwn && !source.keepsConflicts { return true }
        if agrees(on: saved, slot, of: object, entity: entity) { return true }
        if source.keepsConflicts && object.record.hasConflict(on: slot) { return false }
        return object.recordValue?.oldValue(of: slot).map(saved.stores) ?? true
    }
}
