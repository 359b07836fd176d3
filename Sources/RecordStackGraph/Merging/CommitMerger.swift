import RecordStackChanges
import RecordStackModel

/// Merges commits: a context's own saves as acknowledgements, saves of other contexts as merges.
///
/// Only registered objects change, and nothing is read from the store.
final class CommitMerger: ContextPart {
    /// Compares objects by version if commits were dropped before the context has read them.
    let versionRefresh = VersionRefresh()
    // @exclusivity(unchecked): only the context's isolation uses it. A merge replaces it whole.

    /// The commits that are merged after the one that is being merged.
    @exclusivity(unchecked) private(set) var pendingCommits: ArraySlice<CommittedChanges> = []
    /// The rows that the pending commits insert, by hierarchy and key; computed when needed.
    var cachedInsertionsAhead: [Int: [Int64: (index: Int, version: RowVersion)]] = [:]
    /// The deletions of the commit that is being merged.
    var mergedDeletions: MergedDeletions?
    /// The number of suspensions of merging that were not resumed.
    var mergeSuspensions = 0
    /// The number of merges so far.
    private(set) var drains = 0

    /// Merges the commits that this context and its ancestors have not read yet.
    ///
    /// A context's own saves are merged as acknowledgements. Only registered objects change, and
    /// nothing is read from the store.
    ///
    /// Call it before an operation reads, never after the first row was read. A row that is older
    /// than a merged commit would become an object that stays out of date.
    ///
    /// Ancestors merge first, because the meaning of a change depends on the ancestors' saved
    /// changes below it.
    ///
    /// - Parameter isForced: whether to merge even if merging is suspended. A save has to know its
    ///   base, and has to be acknowledged.
    /// - Parameter last: the number of the last commit to merge; by default, of the last commit in
    ///   the log.
    func mergeCommits(isForced: Bool = false, upTo last: Int? = nil) {
        if context.parentContext != nil {
            var hasContents = false
            context.forEachUp { hasContents = hasContents || $0.cursor.hasUnread }
            if !hasContents { return }
        }
        // All contexts merge up to the same number. Later commits are merged the next time.
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

    /// Merges commits, oldest first.
    func merge(_ entries: [CommittedChanges]) {
        if entries.isEmpty { return }
        drains += 1
        defer { (pendingCommits, cachedInsertionsAhead, mergedDeletions) = ([], [:], nil) }
        // Another context's commit changes nothing in a context without objects and unsaved
        // changes.
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
                forgetDiscarded(of: entry.ticket)
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
        // A re-inserted row can be referred to again.
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

    /// True if a policy's decision concerns an object of this context.
    ///
    /// A decision concerns the contexts that have saved, and objects that are based on a row that
    /// those contexts did not re-insert after all.
    private func concerns(
        _ resolvedRow: ResolvedRow, in table: EntityTable, from source: ChangeOrigin
    ) -> Bool {
        source.isOwn
            || table.object(resolvedRow.key).map { source.isReinsertion(of: $0, in: context) }
                ?? false
    }

    /// Merges the inserted row of an object, which was new until now.
    func mergeInsertion(
        of object: ManagedObject, _ changes: EntityChanges, _ row: Int, from source: ChangeOrigin
    ) {
        let all = SlotSet(all: changes.inserted.width)
        forgetBaseOrigins(of: all, in: object, savedBy: source)
        if object.has(ObjectFlags.stored) {
            // The object was found before its insertion was merged.
            if !object.isFault { context.members.enterMemberKeys(object) }
            return
        }
        object.apply(.rowInserted)
        object.rowVersion = .first
        if object.isToDelete && object.has(ObjectFlags.inheritsEdits) {
            // The object is an ancestor's and was deleted here. The next update of its row is
            // compared with the values that showed here.
            return
        }
        if object.isToDelete {
            // The object was deleted while its INSERT was in flight, so the row must be deleted
            // next. If someone else has changed the row, the deletion gets a version that cannot
            // match, to force a conflict.
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
            endInheritance(of: object)
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
            // The row that another context has re-inserted has a version of its own.
            object.rowVersion = min(object.rowVersion, update.version.previous)
            object.apply(.rowReinserted)
        }
        if object.has(ObjectFlags.orphaned) {
            // The object does not show, but saved changes and conflicts are noted.
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
        // An object that has missed a change, or that has an ancestor's values, takes the whole
        // row.
        let takesAll =
            object.rowVersion < update.version || object.has(ObjectFlags.inheritsEdits)
        let mask = ancestorMask(of: object, from: source)
        let isSeen =
            source.isOfAncestor(of: context)
            && wasSeen(update, changes.updated, row: row, in: object)
        let isRemotelyModified = object.recordValue?.isRemotelyModified ?? false
        endInheritance(of: object)
        object.apply(.undeleted)
        mergeRow(
            changes.updated, row: row,
            slots: takesAll ? SlotSet(all: changes.updated.width) : update.slots,
            own: update.slots, version: update.version.next, into: object, from: source,
            under: mask)
        // A change that an ancestor had shown before it was saved is nothing new.
        if isSeen { object.recordValue?.isRemotelyModified = isRemotelyModified }
        if wasDeleted { context.members.reenterMemberKeys(object) }
    }

    /// Ends an object's dependence on an ancestor's change, unless the ancestor still has one.
    func endInheritance(of object: ManagedObject) {
        if object.has(ObjectFlags.inheritsEdits), context.parentView.changedAbove(object) != nil {
            return
        }
        // The context can tell only after all commits whether the change below was saved.
        if object.has(ObjectFlags.inheritsEdits), object.recordValue?.baseOrigins.isEmpty == false {
            table(of: entityIndex(of: object)).needingRebase.append(object)
        }
        object.apply(.inheritanceEnded)
    }

    /// Merges an update into an object that was deleted here.
    ///
    /// The save of the deletion detects changes of other contexts by the row version. A change that
    /// this context has saved itself, or that it has seen in an ancestor, is no conflict.
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

    /// True if an object showed the saved values before the save, as an ancestor's change.
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

    /// True if an object showed an ancestor's unsaved change of a slot when it was deleted.
    ///
    /// The change must not conflict with the value that was saved below it.
    private func isCovered(
        _ slot: Int, of object: ManagedObject, showing shown: StoredValue
    ) -> Bool {
        guard let above = context.parentView.topmostChange(of: slot, in: object),
            above.recordValue?.hasConflict(on: slot) != true
        else { return false }
        return above.storedValue(at: slot).isStoredSame(as: shown)
    }

    /// Marks an object as clean and drops its changes.
    func markClean(_ object: ManagedObject) {
        object.writtenValue = 0
        object.apply(.cleaned)
        object.recordValue?.forgetChanges()
    }

    /// Marks an object as clean if it has no changes left. Then only the program keeps it alive.
    func markCleanIfUnchanged(_ object: ManagedObject) {
        guard object.writtenValue == 0, object.recordValue?.writtenHigh.isEmpty ?? true,
            !object.has(ObjectFlags.inserted | ObjectFlags.deleted)
        else { return }
        object.apply(.cleaned)
        object.recordValue?.forgetChanges()
    }

    /// Forgets which objects have discarded the changes of a save, after the save was merged.
    func forgetDiscarded(of save: SaveTicket) {
        for table in tables where table.discarded?.isOf(save) == true { table.discarded = nil }
    }

    /// Returns a save's origin for one object, which may have discarded its saved changes.
    func source(_ source: ChangeOrigin, of object: ManagedObject) -> ChangeOrigin {
        let discarded = table(of: entityIndex(of: object)).discarded
        guard let discarded, discarded.contains(object.keyValue, writtenBy: source.ticket) else {
            return source
        }
        return source.ofDiscardedObject
    }

    // Most objects rest on no ancestor, so the parent is not searched for them.

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
