import RecordStackModel

extension ManagedObjectContext {
    /// Discards all changes since the last save.
    ///
    /// New objects become detached, changed objects get their old values back, and deleted objects
    /// are restored. The call reads nothing from the store.
    ///
    /// If a save is running, it continues. Afterwards, the context shows the saved values.
    public func rollback() {
        let use = beginUse()
        defer { endUse(use) }
        let save = takeInOwnSave()
        parentView.followAnew()
        joinRowEdits.rollBackLinks()
        for table in tables {
            for object in table.takeDirtyObjects() where object.has(ObjectFlags.dirty) {
                noteDiscarded(object, in: table, during: save)
                rollBack(object, in: table)
            }
            table.pruneOrphans()
        }
        errors.forgetPending()
        publisher.publishChanges()
    }

    /// Merges the saves of this context, so that saved values count as saved and are not discarded.
    ///
    /// - Returns: The save that the context has not merged yet, or nil. The save is read before the
    ///   merge, because a save that ends in between is in the log by then.
    private func takeInOwnSave() -> SaveTicket? {
        let save = saveUnderWay
        if activeReader == nil && cursor.holdsOwn(origin) { merger.mergeCommits() }
        return isSavedUnheard ? save : nil
    }

    /// Undoes the deletion of an object.
    func restore(_ object: ManagedObject, in table: EntityTable) { rollBack(object, in: table) }

    private func rollBack(_ object: ManagedObject, in table: EntityTable) {
        table.followed = nil
        if object.has(ObjectFlags.orphaned) {
            return repair.agreeToDeletion(of: object, in: table)
        }
        let wasToDelete = object.isToDelete
        let isStale = object.recordValue?.isStale == true
        object.apply(.cleaned)
        if object.has(ObjectFlags.inserted) { return merger.detach(object, in: table) }
        restoreValues(of: object)
        guard wasToDelete else { return }
        object.apply(.undeleted)
        if isStale { parentView.turnIntoFault(object) }
        if object.isFault {
            members.forgetOwners(ofMembersIn: table)
        } else {
            members.reenterMemberKeys(object)
        }
    }

    /// Discards a new object.
    func withdraw(_ object: ManagedObject) {
        joinRowEdits.rollBackLinks(of: object)
        joinRowEdits.retainedOwners[ObjectIdentifier(object)] = nil
        object.apply(.cleaned)
        merger.detach(object, in: table(of: entityIndex(of: object)))
    }

    /// Restores the old values, or the newer ones if another context has changed them since.
    func restoreValues(of object: ManagedObject) {
        guard let record = object.recordValue else { return }
        let conflicts = record.conflicts
        var values: [(slot: Int, value: StoredValue)] = []
        record.old.forEach { old in
            values.append((old.slot, conflicts.first { $0.slot == old.slot }?.theirs ?? old.value))
        }
        object.setStoredValues(values)
        record.forgetChanges()
        object.writtenValue = 0
    }

    /// Reads an object's row again.
    ///
    /// If `mergingChanges` is true, the object keeps its unsaved changes and takes all other values
    /// from the store. The changes then apply to the current row, so a save that failed with a
    /// conflict succeeds when you repeat it. If `mergingChanges` is false, the call discards the
    /// changes, and the object loads its row when you next read a property.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an object of another context. If
    ///   `mergingChanges` is true, the call also throws ``RecordStackError/Code/notFound`` if the
    ///   row is gone, and the store's errors.
    public func refresh(_ object: ManagedObject, mergingChanges: Bool = true) throws {
        let use = beginUse()
        defer { endUse(use) }
        guard object.managedObjectContext === self else {
            throw object.absent("It cannot be refreshed here.")
        }
        if object.has(ObjectFlags.inserted) { return }
        parentView.followAnew()
        // Before its changes, the object may have referred to objects that this context deletes.
        repair.pending.insert(.references)
        repair.pending.insert(.oneToOnes)
        let table = table(of: entityIndex(of: object))
        if !mergingChanges {
            let save = takeInOwnSave()
            joinRowEdits.rollBackLinks(of: object)
            if object.has(ObjectFlags.dirty) { noteDiscarded(object, in: table, during: save) }
            repair.keepingOneToOnes(of: object) { rollBack(object, in: table) }
            table.pruneDirtyObjects()
            if !object.has(ObjectFlags.detached | ObjectFlags.deleted) {
                parentView.turnIntoFault(object)
            }
            publisher.publishChangesAfterTurn()
            return
        }
        defer { table.pruneDirtyObjects() }
        try reading { reader in
            if object.has(ObjectFlags.orphaned) { throw Self.rowIsGone(object.objectID) }
            if let above = parentView.changedAbove(object) {
                parentView.rebase(object, on: above)
                return
            }
            let sink = RefreshSink(context: self)
            try reader.rows(
                .keys(
                    [object.keyValue], entity: coordinator.rootEntity(of: entityIndex(of: object))),
                into: sink)
            guard sink.found.contains(object.keyValue) else {
                throw Self.rowIsGone(object.objectID)
            }
        }
    }

    static func rowIsGone(_ id: ManagedObjectID) -> RecordStackError {
        RecordStackError(
            .notFound, "The row of \(id) is gone.", entity: id.entityName, objectID: id)
    }

    /// Turns every object without unsaved changes into a fault.
    ///
    /// A fault loads its row when you next read a property. Objects with unsaved changes are not
    /// changed.
    public func refreshAllObjects() {
        let use = beginUse()
        defer { endUse(use) }
        parentView.followAnew()
        for table in tables {
            for object in table.map.objects()
            where !object.has(ObjectFlags.differs | ObjectFlags.fault) {
                parentView.turnIntoFault(object)
            }
        }
    }

    /// Discards all objects, including those with unsaved changes.
    ///
    /// Objects that the program still references become detached.
    public func reset() {
        let use = beginUse()
        defer { endUse(use) }
        parentView.followAnew()
        let save = saveUnderWay
        for table in tables {
            for object in table.map.objects() {
                if object.has(ObjectFlags.dirty) {
                    noteDiscarded(object, in: table, during: save)
                }
                object.apply(.cleaned)
                object.recordValue?.members = MemberTable()
                table.unregister(object, isGone: false)
            }
            _ = table.takeDirtyObjects()
            table.inheriting = []
            table.needingRebase = []
            table.orphans = []
            table.setDeletedAbove([])
        }
        for index in joinRowEdits.links.indices where !joinRowEdits.links[index].isEmpty {
            joinRowEdits.links[index].removeAll()
        }
        joinRowEdits.retainedOwners = [:]
        loadedMembers = MemberRegistry()
        loader.forgetPrefetched()
        hooks.forgetPendingAwakes()
        errors.forgetPending()
        publisher.publishChanges()
    }
}
