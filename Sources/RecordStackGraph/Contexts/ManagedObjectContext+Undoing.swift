import RecordStackModel

extension ManagedObjectContext {
    /// Gives up all changes since the last save: new objects are detached, changed ones have their
    /// old values back, and deleted ones are there again. Reads nothing.
    public func rollback() {
        let use = beginUse()
        defer { endUse(use) }
        rollBackLinks()
        for table in tables {
            for object in table.takeListed() where object.has(ObjectFlags.listed) {
                rollBack(object, in: table)
            }
        }
        forgetPendingError()
        publishChanges()
    }

    /// Takes a deletion back.
    func restore(_ object: ManagedObject, in table: EntityTable) { rollBack(object, in: table) }

    private func rollBack(_ object: ManagedObject, in table: EntityTable) {
        if object.has(ObjectFlags.deletedThere) { return agreeToDeletion(of: object, in: table) }
        let wasToDelete = object.isToDelete
        let isOutdated = object.recordValue?.isOutdated == true
        object.bits &= ~ObjectFlags.listed
        if object.has(ObjectFlags.inserted) {
            leaveMemberKeys(object)
            forgetMembers(of: object)
            table.unregister(object)
            return
        }
        restoreValues(of: object)
        guard wasToDelete else { return }
        object.bits &= ~ObjectFlags.deleted
        if isOutdated { turnIntoFault(object) }
        if object.isFault { forgetOwners(ofMembersIn: table) } else { reenterMemberKeys(object) }
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
            throw RecordStackError(
                .misuse, "The object belongs to another context, or to none any more.",
                objectID: object.objectID)
        }
        if object.has(ObjectFlags.inserted) { return }
        // It may have referred to what is to be deleted here before its changes.
        mayReferToDeleted = true
        mayBeUnpaired = true
        let table = table(of: entityIndex(of: object))
        if !mergingChanges {
            rollBackLinks(of: object)
            keepingPairs(of: object) { rollBack(object, in: table) }
            table.pruneListed()
            if !object.has(ObjectFlags.detached | ObjectFlags.deleted) { turnIntoFault(object) }
            publishChanges()
            return
        }
        defer { table.pruneListed() }
        try reading { reader in
            if object.has(ObjectFlags.deletedThere) { throw Self.rowIsGone(object.objectID) }
            if let above = changedAbove(object) {
                rebase(object, on: above)
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

    private static func rowIsGone(_ id: ManagedObjectID) -> RecordStackError {
        RecordStackError(
            .notFound, "The row of \(id) is gone.", entity: id.entityName, objectID: id)
    }

    /// Makes every clean object a fault, to be loaded anew when it is next read. Changed objects
    /// stay as they are.
    public func refreshAllObjects() {
        let use = beginUse()
        defer { endUse(use) }
        for table in tables {
            for object in table.map.objects()
            where !object.has(ObjectFlags.differs | ObjectFlags.fault) {
                turnIntoFault(object)
            }
        }
    }

    /// Forgets every object, changed or not. Objects that the program still holds are detached.
    public func reset() {
        let use = beginUse()
        defer { endUse(use) }
        for table in tables {
            for object in table.map.objects() {
                object.bits &= ~ObjectFlags.listed
                object.recordValue?.members = MemberTable()
                table.unregister(object)
            }
            _ = table.takeListed()
            table.overlaid = []
            table.hidden = []
        }
        for index in links.indices where !links[index].isEmpty { links[index].removeAll() }
        keptForPairs = [:]
        loadedMembers = MemberRegistry()
        prefetched = []
        sleepers = []
        forgetPendingError()
        publishChanges()
    }

    /// Looks at everything that is held by version, because too much was committed to merge it.
    func refreshByVersion(_ reader: any StoreReader) throws {
        for table in tables where table.map.count > 0 {
            let held = table.map.objects().filter {
                $0.has(ObjectFlags.stored)
                    && !$0.has(ObjectFlags.fault | ObjectFlags.overlaid | ObjectFlags.deleted)
            }
            // Nobody knows whether others have changed what is to be deleted here.
            for object in table.listed where object.isToDelete { object.record.isOutdated = true }
            let sink = RefreshSink(context: self)
            sink.onlyNewer = true
            let root = coordinator.model.hierarchies[table.hierarchy].root
            try reader.rows(.keys(held.map(\.keyValue), entity: root), into: sink)
            for object in held where !sink.found.contains(object.keyValue) {
                mergeDeletion(of: object, table: table, from: .others)
                vanished[table.hierarchy, default: []].insert(object.keyValue)
            }
            table.pruneListed()
        }
        try lookForReferencesToVanished(reader)
        for table in tables where table.map.count > 0 { forgetLoadedMembers(in: table) }
        needsRefreshByVersion = false
    }

    /// What was changed here may refer to objects that are not held and were deleted meanwhile.
    private func lookForReferencesToVanished(_ reader: any StoreReader) throws {
        var wanted: [Int: Set<Int64>] = [:]
        let model = coordinator.model
        for table in tables {
            for object in table.listed where object.has(ObjectFlags.listed) && !object.isFault {
                for relationship in model.modelEntities[entityIndex(of: object)].relationships {
                    guard let slot = relationship.slot else { continue }
                    let key = object.storedKey(at: slot)
                    let hierarchy = model.modelEntities[relationship.destination].hierarchy
                    if key == 0 || isHeld(key, hierarchy) { continue }
                    wanted[hierarchy, default: []].insert(key)
                }
            }
        }
        for linkage in model.linkages where !links[linkage.index].isEmpty {
            for (pair, edit) in links[linkage.index].edits where edit.kind == .added {
                for end in [LinkEnd.first, .second] {
                    let hierarchy = model.modelEntities[linkage.end(end).entity].hierarchy
                    if isHeld(pair.key(end), hierarchy) { continue }
                    wanted[hierarchy, default: []].insert(pair.key(end))
                }
            }
        }
        for (hierarchy, keys) in wanted {
            let sink = RefreshSink(context: self)
            let root = model.hierarchies[hierarchy].root
            try reader.keys(.keys(Array(keys), entity: root), into: sink)
            let gone = keys.subtracting(sink.found).subtracting(tables[hierarchy].hidden)
            if !gone.isEmpty { vanished[hierarchy, default: []].formUnion(gone) }
        }
    }

    /// Whether an object was looked at itself.
    private func isHeld(_ key: Int64, _ hierarchy: Int) -> Bool {
        guard let object = tables[hierarchy].object(key) else { return false }
        return !object.isFault || object.has(ObjectFlags.inserted)
    }

    /// Nobody knows what happened to relationships while changes were dropped.
    private func forgetLoadedMembers(in table: EntityTable) {
        table.map.objects().forEach(forgetMembers)
    }
}

/// Merges rows into the objects that hold them.
final class RefreshSink: RowSink {
    let context: ManagedObjectContext
    var onlyNewer = false
    /// Whose the rows are taken for; the program's own base where it does not say.
    var source = MergeSource.base
    private(set) var found: Set<Int64> = []

    init(context: ManagedObjectContext) {
        self.context = context
    }

    func wants(key: Int64, version: Int64, entity: Int) -> Bool {
        found.insert(key)
        guard onlyNewer else { return true }
        return context.table(of: entity).object(key).map { $0.rowVersion < version } ?? false
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: Int64, entity: Int) throws {
        guard let object = context.table(of: entity).object(key) else { return }
        let batch = RowBatch(copying: cells)
        let all = SlotSet(all: batch.width)
        context.mergeRow(
            batch, row: 0, slots: all, own: all, version: version, into: object,
            from: onlyNewer ? .others : source)
    }
}
