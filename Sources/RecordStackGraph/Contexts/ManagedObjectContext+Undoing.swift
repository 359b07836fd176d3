import RecordStackModel

extension ManagedObjectContext {
    /// Gives up all changes since the last save: new objects are detached, changed ones have their
    /// old values back, and deleted ones are there again. Reads nothing.
    ///
    /// A save that is being written is not stopped: when it is done, the context shows what it has left.
    public func rollback() {
        let use = beginUse()
        defer { endUse(use) }
        let save = takeInOwnSave()
        parentView.followAnew()
        joinRowEdits.rollBackLinks()
        for table in tables {
            for object in table.takeDirtyObjects() where object.has(ObjectFlags.dirty) {
                noteGivenUp(object, in: table, during: save)
                rollBack(object, in: table)
            }
            table.pruneOrphans()
        }
        errors.forgetPending()
        publisher.publishChanges()
    }

    /// Takes in a save of this context: saved values are no changes any more, and are not given up.
    /// - Returns: the save of which it has not heard. It is asked for first: one that ends in between is in the log by
    ///   then.
    private func takeInOwnSave() -> SaveTicket? {
        let save = saveUnderWay
        if activeReader == nil && cursor.holdsOwn(origin) { merger.mergeCommits() }
        return isSavedUnheard ? save : nil
    }

    /// Takes a deletion back.
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

    /// A new object that is not to be saved here after all.
    func withdraw(_ object: ManagedObject) {
        joinRowEdits.rollBackLinks(of: object)
        joinRowEdits.retainedOwners[ObjectIdentifier(object)] = nil
        object.apply(.cleaned)
        merger.detach(object, in: table(of: entityIndex(of: object)))
    }

    /// The old values, or, where another context has changed them since, the new ones.
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
    /// With `mergingChanges` the changes made here stay, as changes of the values that the store
    /// has now: a save that failed with a conflict then succeeds. Without, they are given up, and
    /// the object is loaded when it is next read.
    /// - Throws: ``RecordStackError/Code/misuse`` for an object of another context, and, when
    ///   merging, ``RecordStackError/Code/notFound`` where the row is gone.
    public func refresh(_ object: ManagedObject, mergingChanges: Bool = true) throws {
        let use = beginUse()
        defer { endUse(use) }
        guard object.managedObjectContext === self else {
            throw object.absent("It cannot be refreshed here.")
        }
        if object.has(ObjectFlags.inserted) { return }
        parentView.followAnew()
        // It may have referred to what is to be deleted here before its changes.
        repair.pending.insert(.references)
        repair.pending.insert(.oneToOnes)
        let table = table(of: entityIndex(of: object))
        if !mergingChanges {
            let save = takeInOwnSave()
            joinRowEdits.rollBackLinks(of: object)
            if object.has(ObjectFlags.dirty) { noteGivenUp(object, in: table, during: save) }
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

    /// Makes every clean object a fault, to be loaded anew when it is next read. Changed objects
    /// stay as they are.
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

    /// Forgets every object, changed or not. Objects that the program still holds are detached.
    public func reset() {
        let use = beginUse()
        defer { endUse(use) }
        parentView.followAnew()
        let save = saveUnderWay
        for table in tables {
            for object in table.map.objects() {
                if object.has(ObjectFlags.dirty) {
                    noteGivenUp(object, in: table, during: save)
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
        hooks.forgetSleepers()
        errors.forgetPending()
        publisher.publishChanges()
    }
}
