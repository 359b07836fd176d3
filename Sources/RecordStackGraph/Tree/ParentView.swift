import RecordStackChanges
import RecordStackModel

/// A context's view of the unsaved changes of its ancestors, which share its isolation.
///
/// The context shows those changes as they are when an operation begins.
struct ParentView: ContextView {
    let context: ManagedObjectContext

    /// Brings this context and its ancestors up to date, the topmost one first.
    ///
    /// Each context compares its objects by version if necessary, copies what its parent shows, and
    /// runs its repairs.
    ///
    /// - Parameter onlyHeld: true if only registered objects have to be current.
    func bringUpToDate(with reader: any StoreReader, onlyHeld: Bool = false) throws {
        if context.parentContext == nil { return try prepare(with: reader, under: nil) }
        var above = LinkRevisions(of: context.joinRowEdits.links.count)
        try context.forEachDown { next in
            try next.parentView.prepare(
                with: reader, under: above, onlyHeld: onlyHeld && next === context)
            above.add(next.joinRowEdits.links)
        }
    }

    /// Shows what the parent shows. The parent must be up to date.
    private func followAncestors(_ above: LinkRevisions, onlyHeld: Bool = false) throws {
        var hasChanged = true
        defer {
            if hasChanged { demandRepair() }
        }
        hasChanged = try takeOverAncestors(above, onlyHeld: onlyHeld)
    }

    /// Requests the repairs that are due when this context shows another value of an ancestor.
    private func demandRepair() {
        // The value can refer to an object that this context deletes.
        if context.hasOwnDeletions { context.repair.pending.insert(.references) }
        // It can also refer to an object that has another one-to-one partner here.
        context.repair.pending.insert(.oneToOnes)
    }

    /// Shows what the parent shows, except for what was changed here.
    ///
    /// - Parameter above: the ancestors' join row revisions, if they are known.
    /// - Returns: true if the parent has changed since the last call.
    @discardableResult
    func takeOverAncestors(
        _ above: LinkRevisions? = nil, onlyHeld: Bool = false
    ) throws -> Bool {
        guard let parent = context.parentContext else { return false }
        var hasChanged = false
        for (table, above) in zip(tables, parent.tables)
        where Self.follows(table, above) {
            if try synchronize(table, with: above, of: parent, onlyHeld: onlyHeld) {
                hasChanged = true
            }
            // Until this context has merged its own save, a row of that save is no base for its
            // changes.
            if table.needingRebase.isEmpty || context.isSavedUnheard { continue }
            context.noteMovedParent(try rebaseEdits(in: table))
        }
        let edits = context.joinRowEdits
        edits.forgetLinksChangedAbove(above ?? edits.linkRevisionsAbove)
        return hasChanged
    }

    /// Whether an ancestor's changes show in this context, or have shown in it.
    var followsAncestors: Bool {
        context.parentContext.map { zip(tables, $0.tables).contains(where: Self.follows) } ?? false
    }

    private static func follows(_ table: EntityTable, _ above: EntityTable) -> Bool {
        above.hasDiffering || !table.inheriting.isEmpty || !table.deletedAbove.isEmpty
            || !table.needingRebase.isEmpty
    }

    /// Brings this context up to date. Its ancestors must be up to date already.
    private func prepare(
        with reader: any StoreReader, under above: LinkRevisions?, onlyHeld: Bool = false
    ) throws {
        // The comparison finds rows that ancestors have saved. It comes before the ancestors'
        // objects are copied.
        if context.versionRefresh.needsRefreshByVersion {
            try context.versionRefresh.refreshByVersion(reader)
        }
        if let above, context.parentContext != nil {
            try followAncestors(above, onlyHeld: onlyHeld)
        }
        if context.repair.isNeeded { try context.repair.run() }
    }

    /// Shows an orphaned object again, because its row is not deleted after all.
    func showAgain(_ object: ManagedObject) {
        object.apply(.broughtToLight)
        context.members.reenterMemberKeys(object)
    }

    /// Drops the values of an object that was deleted here.
    ///
    /// If the deletion is undone, the object shows its row. An object without a stored row is
    /// detached instead.
    func dropValuesOfDeleted(_ object: ManagedObject, in table: EntityTable) {
        if !object.has(ObjectFlags.stored) { return context.merger.detach(object, in: table) }
        context.members.forgetMembers(of: object)
        object.writtenValue = 0
        object.recordValue?.forgetChanges()
        object.apply(.valuesDropped)
    }

    /// Merges the stored rows into changed objects that do not inherit an ancestor's edits now.
    ///
    /// - Returns: the objects that still have changes and whose stored row differs from the
    ///   inherited one: the ancestor neither saved its edit nor set it back.
    private func rebaseEdits(in table: EntityTable) throws -> [ManagedObject] {
        let objects = table.needingRebase.filter {
            $0.has(ObjectFlags.dirty) && !$0.has(ObjectFlags.inheritsEdits) && !$0.isToDelete
        }
        let before = objects.map(\.committedRow)
        let keys = objects.filter { $0.has(ObjectFlags.stored) }.map(\.keyValue)
        let sink = RefreshSink(context: context)
        sink.source = .parentRow
        if !keys.isEmpty {
            let root = coordinator.model.hierarchies[table.hierarchy].root
            try context.repairing {
                try context.withReader { try $0.rows(.keys(keys, entity: root), into: sink) }
            }
        }
        table.needingRebase = []
        for object in objects where !sink.found.contains(object.keyValue) {
            context.repair.keepChanges(ofDeleted: object, in: table)
        }
        table.pruneDirtyObjects()
        return zip(objects, before).filter { object, row in
            // An assigned value may equal the stored one.
            if !object.hasRowChanges { return false }
            return !sink.found.contains(object.keyValue) || object.committedRow != row
                || object.recordValue?.conflicts.isEmpty == false
        }.map(\.0)
    }

    /// Returns the parent's changed object on which an object is based; nil if there is none.
    func changedAbove(_ object: ManagedObject) -> ManagedObject? {
        guard object.has(ObjectFlags.inheritsEdits), let parent = context.parentContext else {
            return nil
        }
        let above = parent.table(of: entityIndex(of: object)).object(object.keyValue)
        return above.flatMap { $0.has(ObjectFlags.differs) ? $0 : nil }
    }

    /// Rebases an object's changes on the current values of an ancestor's object.
    func rebase(_ object: ManagedObject, on above: ManagedObject) {
        let batch = above.shownRow()
        let all = SlotSet(all: batch.width)
        context.merger.mergeRow(
            batch, row: 0, slots: all, own: all, version: above.rowVersion, into: object,
            from: .base)
    }

    /// Shows the current state of an ancestor's object in this context.
    func takeOver(_ origin: ManagedObject, into table: EntityTable) {
        let mine = table.object(origin.keyValue)
        // The object stays whether or not the ancestor has merged the deletion: this context
        // re-inserts the row.
        if mine?.isToReinsert == true { return }
        if origin.has(ObjectFlags.deleted) {
            if let mine { return hide(mine, in: table) }
            table.noteDeletedAbove(origin.keyValue)
            return
        }
        guard let mine else {
            _ = makeInheriting(of: origin, in: table)
            return
        }
        if mine.has(ObjectFlags.deleted) {
            if mine.isToDelete { return }
            mine.apply(.broughtToLight)
            takeValues(of: origin, into: mine, table: table)
            context.members.reenterMemberKeys(mine)
            return
        }
        takeValues(of: origin, into: mine, table: table)
    }

    /// Copies the values of an ancestor's changed object, except in slots that were changed here.
    func takeValues(
        of origin: ManagedObject, into mine: ManagedObject, table: EntityTable
    ) {
        if origin.has(ObjectFlags.stored) { mine.apply(.rowFound) }
        markInheriting(mine, in: table)
        copyUnchanged(from: origin, to: mine)
    }

    /// Records that an ancestor is going to delete an object that this context does not hold.
    func didDeleteAbove(_ key: Int64, in table: EntityTable) {
        context.repair.deletedKeys[table.hierarchy, default: []].insert(key)
        if loadedMembers.isEmpty { return }
        for entity in coordinator.model.hierarchies[table.hierarchy].entities {
            context.members.memberKeysFollow(deletionOf: key, entity: entity)
        }
    }

    func hide(_ mine: ManagedObject, in table: EntityTable) {
        if mine.has(ObjectFlags.deleted) || mine.isToReinsert { return }
        markInheriting(mine, in: table)
        if mine.has(ObjectFlags.dirty) {
            if mine.hasRowChanges { return context.repair.keepChanges(ofDeleted: mine, in: table) }
            context.merger.markClean(mine)
        }
        context.members.leaveMemberKeys(mine)
        mine.apply(.deleted)
        context.repair.deletedKeys[table.hierarchy, default: []].insert(mine.keyValue)
    }

    func markInheriting(_ object: ManagedObject, in table: EntityTable) {
        if object.has(ObjectFlags.inheritsEdits) { return }
        object.apply(.inheritedEdits)
        table.inheriting.append(object)
    }

    /// Creates this context's object for an ancestor's changed object.
    func makeInheriting(of origin: ManagedObject, in table: EntityTable) -> ManagedObject {
        let batch = origin.shownRow()
        let seed = ObjectSeed(
            anchor: Unmanaged.passUnretained(context.anchor), key: origin.keyValue,
            version: origin.rowVersion,
            status: .inheriting(from: origin.status))
        let object = batch.withRow(0) { type(of: origin).make(row: $0, seed: seed) }
        table.register(object)
        table.inheriting.append(object)
        // The stored row of the object may refer to another owner.
        context.members.leaveUnknownOwners(origin.keyValue, entity: entityIndex(of: origin))
        context.members.enterMemberKeys(object)
        context.didLoad(object)
        return object
    }

    /// Copies the parent's values into an object, except in slots that were changed here.
    private func copyUnchanged(from origin: ManagedObject, to mine: ManagedObject) {
        let batch = origin.shownRow()
        if mine.isFault {
            context.members.leaveUnknownOwners(mine.keyValue, entity: entityIndex(of: mine))
        }
        let wasFault = mine.isFault
        // A row is no base if the ancestor still has to compare it by version.
        let isSameRow =
            mine.rowVersion == origin.rowVersion
            && context.parentContext?.versionRefresh.needsRefreshByVersion != true
        // If the log has the commit of the newer row, its merge comes later. If the log has dropped
        // the commit, the slots are merged here.
        let isBehind = mine.has(ObjectFlags.dirty) && mine.rowVersion < origin.rowVersion
        let isToHear = isBehind && context.mayBeSaved
        mine.apply(.valuesLoaded)
        // The object was changed on a row that the ancestor has not read yet, so the ancestor must
        // read it first.
        if mine.has(ObjectFlags.dirty) && mine.rowVersion > origin.rowVersion {
            for above in context.ancestors { above.versionRefresh.demandRefreshByVersion() }
        }
        if !isToHear { mine.rowVersion = origin.rowVersion }
        let entity = type(of: mine).entityDescription
        var slots = SlotSet()
        var showsParentsReference = false
        for slot in 0..<batch.width {
            if mine.isWritten(slot) {
                let rowOrigin: RowOrigin =
                    if isChangedAbove(slot, in: mine) {
                        .parentEdit
                    } else if isSameRow {
                        .parentRow
                    } else {
                        isBehind && !isToHear ? .others : .parentEdit
                    }
                let cell = batch.cell(row: 0, slot: slot)
                let merge = slotMerge(cell, slot, ofInheriting: mine, over: rowOrigin)
                guard context.merger.apply(merge, over: rowOrigin, cell, slot, of: mine) else {
                    continue
                }
                if entity.slots[slot].relationship != nil { showsParentsReference = true }
            }
            slots.insert(slot)
        }
        mine.loadValues(batch, row: 0, slots: slots)
        // A change was undone here, so the parent's reference shows again.
        if showsParentsReference { demandRepair() }
        if wasFault {
            context.members.enterMemberKeys(mine)
            context.didLoad(mine)
        }
    }

    /// Returns the facts about a changed slot and the parent's row.
    ///
    /// The change stays while a save writes an earlier value of the slot, because it is a change of
    /// the saved value.
    private func slotMerge(
        _ cell: Cell, _ slot: Int, ofInheriting mine: ManagedObject, over origin: RowOrigin
    ) -> SlotMerge {
        let entity = entityIndex(of: mine)
        var merge = context.merger.slotMerge(cell, slot, of: mine, entity: entity, over: origin)
        merge.mustStay =
            mine.has(ObjectFlags.inserted) || context.isBeingSaved(slot, of: mine, entity: entity)
        merge.isAcknowledged =
            mine.recordValue?.oldValue(of: slot)?.isStoredSame(as: mine.storedValue(at: slot))
            ?? false
        return merge
    }

    /// Drops an object's values, which are loaded again when they are next read.
    ///
    /// Until then, the object stays a member of the same relationships.
    func turnIntoFault(_ object: ManagedObject) {
        context.members.forgetMembers(of: object)
        object.writtenValue = 0
        object.recordValue = object.recordValue?.withoutChanges
        object.apply(.valuesDropped)
        object.rowVersion = .noRow
    }
}
