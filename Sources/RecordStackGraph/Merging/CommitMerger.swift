import RecordStackChanges
import RecordStackModel

/// Takes in what was committed: a context's own saves as acknowledgements, others' as merges. Objects that are registered
/// change; nothing is read from the store.
final class CommitMerger: ContextPart {
    /// Reads what is not known any more by the time that it is to be taken in.
    let versionRefresh = VersionRefresh()
    // @exclusivity(unchecked): only the context's isolation uses it, and a merge replaces the slice as a whole.

    /// What was committed after what is being merged, and is merged next.
    @exclusivity(unchecked) private(set) var pendingCommits: ArraySlice<CommittedChanges> = []
    /// What of it inserts which rows, where that was asked for.
    var cachedInsertionsAhead: [Int: [Int64: (index: Int, version: RowVersion)]] = [:]
    /// What is deleted by what is being merged.
    var mergedDeletions: MergedDeletions?
    /// How many have suspended merging and not resumed it.
    var mergeSuspensions = 0
    /// How often it has taken in what was committed.
    private(set) var drains = 0

    /// Takes in what was committed since the last time: its own saves as acknowledgements, others'
    /// as merges. Objects that are registered change; nothing is read from the store.
    ///
    /// It is done before an operation reads, never after its first row was read: a row that is older
    /// than what was merged would become an object that stays behind.
    ///
    /// Ancestors come first: what of their changes is saved decides what is changed here on top of them.
    ///
    /// - Parameter isForced: whether it is done where merging is suspended, too: for a save, which has to
    ///   know on what it stands, and learns that it is done.
    /// - Parameter last: the number of the last commit to take in; by default the last that was committed.
    func mergeCommits(isForced: Bool = false, upTo last: Int? = nil) {
        if context.parentContext != nil {
            var hasContents = false
            context.forEachUp { hasContents = hasContents || $0.cursor.hasUnread }
            if !hasContents { return }
        }
        // One number for all: what is committed meanwhile is for the next time.
        let last = last ?? coordinator.log.last
        var isSuspended = false
        context.forEachDown { context in
            isSuspended = isSuspended || context.merger.mergeSuspensions > 0
            if isForced || !isSuspended { context.merger.mergeUnread(upTo: last) }
        }
    }

    private func mergeUnread(upTo last: Int) {
        guard context.cursor.hasUnread else { return }
        context.shown.forgetHistory()
        context.shown.judgeRowsAhead()
        let (entries, isCollapsed) = context.cursor.take(upTo: last, after: context.shown.position)
        merge(entries)
        if isCollapsed {
            context.parentView.forgetBaseOrigins()
            context.versionRefresh.demandRefreshByVersion()
        }
    }

    /// Takes in commits, oldest first.
    func merge(_ entries: [CommittedChanges]) {
        if entries.isEmpty { return }
        drains += 1
        defer { (pendingCommits, cachedInsertionsAhead, mergedDeletions) = ([], [:], nil) }
        // Another context's commit changes nothing in a context without objects and unsaved changes.
        let isIndifferent =
            context.parentContext == nil && !context.holdsSomething
            && context.repair.deletedKeys.isEmpty
        for (entryIndex, entry) in entries.enumerated() {
            if entries.count > 1 { pendingCommits = entries[(entryIndex + 1)...] }
            if case .remote(let mark) = entry.mark { context.shown.position.advance(to: mark) }
            if isIndifferent && !entry.isOwn(context.origin) { continue }
            let source = ChangeOrigin(entry, cursor: context.origin)
            if source.isOwn { context.hooks.hear(of: entry.ticket) }
            if source.isOwn { context.published?.hear(entry) }
            mergedDeletions = MergedDeletions(
                changes: entry.changes, model: coordinator.model)
            let entities = entry.changes.entities
            for index in entities.indices { merge(entities[index], from: source) }
            context.joinRowEdits.acknowledge(
                upTo: context.parentSnapshot == nil ? entry.linkSerials[context.origin] : nil,
                isShared: !entry.levels.isEmpty)
            for changes in entry.changes.links { context.joinRowEdits.merge(changes) }
            if source.isOwn {
                forgetGivenUp(of: entry.ticket)
                for joinTable in context.joinRowEdits.links.indices {
                    context.joinRowEdits.links[joinTable].forgetFormerPositions()
                }
            } else {
                context.repair.pending.insert(.references)
                context.repair.pending.insert(.oneToOnes)
            }
        }
        for table in tables where table.hasDiffering {
            table.pruneDirtyObjects()
            table.pruneInheriting()
        }
    }

    private func merge(_ changes: EntityChanges, from source: ChangeOrigin) {
        let table = table(of: changes.entity)
        // What is there again can be referred to.
        if !changes.reinsertedVersions.isEmpty && !context.repair.deletedKeys.isEmpty {
            context.repair.deletedKeys[table.hierarchy]?.subtract(changes.reinsertedVersions.keys)
        }
        if table.map.count == 0 && loadedMembers.isEmpty && changes.deletions.isEmpty
            && changes.alreadyDeletedKeys.isEmpty
        {
            return
        }
        mergeInsertions(changes, in: table, from: source)
        mergeUpdates(changes, in: table, from: source)
        let deleted = mergeDeletions(changes, in: table, from: source)
        if let last = changes.deletedThroughKey {
            mergeEmptying(changes.entity, upTo: last, from: source)
        }
        for resolvedRow in changes.resolvedRows where concerns(resolvedRow, in: table, from: source)
        {
            adopt(resolvedRow, entity: changes.entity, from: source)
        }
        guard source.isOwn else {
            let mayRefer =
                tables.contains { !$0.dirtyObjects.isEmpty }
                || context.joinRowEdits.links.contains { !$0.isEmpty }
            if !deleted.isEmpty && mayRefer {
                context.repair.deletedKeys[table.hierarchy, default: []].formUnion(deleted)
            }
            return
        }
        for key in changes.discardedInsertKeys {
            if let object = table.object(key) { detach(object, in: table) }
        }
    }

    /// A policy's decision is of the objects of those that have saved, and of what rests on a row that they have not
    /// brought back after all.
    private func concerns(
        _ resolvedRow: ResolvedRow, in table: EntityTable, from source: ChangeOrigin
    ) -> Bool {
        source.isOwn
            || table.object(resolvedRow.key).map { source.isReinsertion(of: $0, in: context) }
                ?? false
    }

    /// An object that was new is in the store now.
    func mergeInsertion(
        of object: ManagedObject, _ changes: EntityChanges, _ row: Int, from source: ChangeOrigin
    ) {
        let all = SlotSet(all: changes.inserted.width)
        forgetBaseOrigins(of: all, in: object, savedBy: source)
        if object.has(ObjectFlags.stored) {
            // It was found before its insertion was heard of.
            if !object.isFault { context.members.enterMemberKeys(object) }
            return
        }
        object.apply(.rowInserted)
        object.rowVersion = .first
        if object.isToDelete && object.has(ObjectFlags.inheritsEdits) {
            // An ancestor's, deleted here: what is saved of it next is compared with what showed here.
            return
        }
        if object.isToDelete {
            // It was given up while it was being written, and is to be deleted now: in no version that is in the store
            // where somebody has changed it besides.
            let update = EntityChanges.Update(
                key: object.keyValue, version: .first,
                slots: all)
            let source = self.source(source, of: object).asSeen(
                update, of: object, entity: changes.entity, in: changes.inserted, row: row)
            if !source.isOwn { object.rowVersion = .noRow }
            object.writtenValue = 0
            object.recordValue?.forgetChanges()
            object.markStale()
            return
        }
        let mask = ancestorMask(of: object, from: source)
        if !object.has(ObjectFlags.orphaned) {
            endOverlay(of: object)
            object.apply(.undeleted)
        }
        mergeRow(
            changes.inserted, row: row, slots: all, own: all, version: .first,
            into: object,
            from: source, under: mask)
    }

    func merge(
        _ update: EntityChanges.Update, of changes: EntityChanges, row: Int,
        into object: ManagedObject, from source: ChangeOrigin
    ) {
        forgetBaseOrigins(of: update.slots, in: object, savedBy: source)
        if object.awaitsReinsertion && !source.isReinsertion(of: object, in: context) {
            return meetReinserted(object)
        }
        let wasDeleted = object.has(ObjectFlags.deleted)
        if object.awaitsReinsertion && object.isToDelete {
            return noteReinserted(ofDeleted: object, as: update.version.next, from: source)
        }
        if object.isReinserted(in: update.version) {
            // Others' row, which was found, is of a version of its own.
            object.rowVersion = min(object.rowVersion, update.version.previous)
            object.apply(.rowReinserted)
        }
        if object.has(ObjectFlags.orphaned) {
            // It is not shown; what of its changes was saved, or is in conflict, is noted.
            mergeRow(
                changes.updated, row: row, slots: update.slots, own: update.slots,
                version: max(object.rowVersion, update.version.next), into: object, from: source)
            context.repair.pending.insert(.conflicts)
            return
        }
        if object.isToDelete {
            let source = self.source(source, of: object).asSeen(
                update, of: object, entity: changes.entity, in: changes.updated, row: row)
            mergeIntoDeleted(object, update, changes.updated, row: row, from: source)
            return
        }
        if object.has(ObjectFlags.fault) {
            if !object.has(ObjectFlags.deleted) {
                context.members.memberKeysFollow(update, in: changes, row: row)
            }
            return
        }
        if object.rowVersion > update.version {
            context.members.correctMemberKeys(update, in: changes, row: row, of: object)
            return
        }
        // A context that missed a change, or has an ancestor's values, takes the whole row.
        let takesAll =
            object.rowVersion < update.version || object.has(ObjectFlags.inheritsEdits)
        let mask = ancestorMask(of: object, from: source)
        let isSeen =
            source.isOfAncestor(of: context)
            && wasSeen(update, changes.updated, row: row, in: object)
        let isRemotelyModified = object.recordValue?.isRemotelyModified ?? false
        endOverlay(of: object)
        object.apply(.undeleted)
        mergeRow(
            changes.updated, row: row,
            slots: takesAll ? SlotSet(all: changes.updated.width) : update.slots,
            own: update.slots, version: update.version.next, into: object, from: source,
            under: mask)
        // What an ancestor showed before it saved it is nothing new.
        if isSeen { object.recordValue?.isRemotelyModified = isRemotelyModified }
        if wasDeleted { context.members.reenterMemberKeys(object) }
    }

    /// Ends that an object rests on an ancestor's change, unless the ancestor has one still.
    func endOverlay(of object: ManagedObject) {
        if object.has(ObjectFlags.inheritsEdits), context.parentView.changedAbove(object) != nil {
            return
        }
        // Whether the change that its own rests on was saved is known when all commits are taken in.
        if object.has(ObjectFlags.inheritsEdits), object.recordValue?.baseOrigins.isEmpty == false {
            table(of: entityIndex(of: object)).needingRebase.append(object)
        }
        object.apply(.inheritanceEnded)
    }

    /// What others change of an object that was deleted here is found by the version when the deletion
    /// is saved; what this context itself has saved, or has seen in an ancestor, is no conflict.
    private func mergeIntoDeleted(
        _ object: ManagedObject, _ update: EntityChanges.Update, _ saved: RowBatch, row: Int,
        from source: ChangeOrigin
    ) {
        let isKnown = wasSeen(update, saved, row: row, in: object)
        if source.isOwn || isKnown {
            object.rowVersion = max(object.rowVersion, update.version.next)
        }
        if !isKnown { object.markStale() }
    }

    /// Whether an object showed what was saved, as an ancestor's change, before it was.
    private func wasSeen(
        _ update: EntityChanges.Update, _ saved: RowBatch, row: Int, in object: ManagedObject
    ) -> Bool {
        guard object.has(ObjectFlags.inheritsEdits), object.rowVersion == update.version else {
            return false
        }
        var isKnown = true
        update.slots.forEach { slot in
            let shown = object.committedValue(at: slot)
            if !saved.cell(row: row, slot: slot).stores(shown)
                && !isCovered(slot, of: object, showing: shown)
            {
                isKnown = false
            }
        }
        return isKnown
    }

    /// Whether an ancestor's unsaved change of a slot, which is in no conflict with what was saved under it, is what was
    /// seen when the object was deleted.
    private func isCovered(
        _ slot: Int, of object: ManagedObject, showing shown: StoredValue
    ) -> Bool {
        guard let above = context.parentView.topmostChange(of: slot, in: object),
            above.recordValue?.hasConflict(on: slot) != true
        else { return false }
        return above.storedValue(at: slot).isStoredSame(as: shown)
    }

    /// An object without changes is none of those to be saved.
    func markClean(_ object: ManagedObject) {
        object.writtenValue = 0
        object.apply(.cleaned)
        object.recordValue?.forgetChanges()
    }

    /// An object without a difference left is kept alive by nothing but the program.
    func markCleanIfUnchanged(_ object: ManagedObject) {
        guard object.writtenValue == 0, object.recordValue?.writtenHigh.isEmpty ?? true,
            !object.has(ObjectFlags.inserted | ObjectFlags.deleted)
        else { return }
        object.apply(.cleaned)
        object.recordValue?.forgetChanges()
    }

    /// A save of this context was heard of.
    func forgetGivenUp(of save: SaveTicket) {
        for table in tables where table.givenUp?.isOf(save) == true { table.givenUp = nil }
    }

    /// Whose a save of an object is: somebody else's where the object has given up what was saved.
    func source(_ source: ChangeOrigin, of object: ManagedObject) -> ChangeOrigin {
        let givenUp = table(of: entityIndex(of: object)).givenUp
        guard let givenUp, givenUp.contains(object.keyValue, writtenBy: source.ticket) else {
            return source
        }
        return source.ofGivenUpObject
    }

    // Most objects rest on no ancestor. The parent is not asked about them.

    private func ancestorMask(
        of object: ManagedObject, from source: ChangeOrigin
    ) -> AncestorMask {
        object.has(ObjectFlags.inheritsEdits)
            ? context.parentView.ancestorMask(of: object, from: source) : AncestorMask()
    }

    func forgetBaseOrigins(
        of slots: SlotSet, in object: ManagedObject, savedBy source: ChangeOrigin
    ) {
        if object.recordValue?.baseOrigins.isEmpty ?? true { return }
        context.parentView.forgetBaseOrigins(of: slots, in: object, savedBy: source)
    }
}
