package import RecordStackModel

extension ManagedObjectContext {
    /// Returns the first object with a value in a slot.
    ///
    /// Programs look up objects all the time. So a topmost context takes a faster path if it has no
    /// unsaved changes in the hierarchy.
    package func firstObject(
        of type: ManagedObject.Type, slot: Int, value: StoredValue
    ) throws -> ManagedObject? {
        let entity = try coordinator.types.index(of: type)
        let table = table(of: entity)
        if activeReader != nil || parentContext != nil || value.isNull || table.hasDiffering
            || versionRefresh.needsRefreshByVersion
        {
            return try firstObjectAnywhere(entity, slot, value)
        }
        try enter()
        let use = beginUse()
        defer { endUse(use) }
        beginOperation()
        switch try lookUpAlone(entity, slot, value) {
        case .needsOrder: return try firstObjectAnywhere(entity, slot, value)
        case .found(let object):
            callDueHooks()
            return object
        }
    }

    private enum LookUp {
        case found(ManagedObject?)
        /// The context must first repair what merges have left inconsistent.
        case needsOrder
    }

    /// Whether there may be unsaved changes.
    ///
    /// Without any, the pending repairs of a merge affect no object.
    private var hasDirtyObjects: Bool { tables.contains { !$0.dirtyObjects.isEmpty } }

    @inline(__always)
    private func lookUpAlone(
        _ entity: Int, _ slot: Int, _ value: StoredValue
    ) throws -> LookUp {
        let reader = try coordinator.store.reader(inBurst: readsInBurst())
        let before = beginReading(with: reader)
        defer { endReading(with: reader, before) }
        let sink = PointSink(context: self, entity: entity)
        // After a commit of this stack the reader's position is outdated, and the lookup would run
        // twice.
        if shown.positionNumber == coordinator.log.last && !(repair.isNeeded && hasDirtyObjects) {
            let isDone = try reader.first(
                entity: entity, slot: slot, value: value, at: shown.position, into: sink)
            if isDone { return .found(sink.object) }
        }
        let position = try reader.position()
        if !shown.confirm(at: position) { try shown.takeIn(upTo: position, with: reader) }
        if versionRefresh.needsRefreshByVersion || repair.isNeeded && hasDirtyObjects {
            return .needsOrder
        }
        try reader.first(entity: entity, slot: slot, value: value, into: sink)
        return .found(sink.object)
    }

    private func firstObjectAnywhere(
        _ entity: Int, _ slot: Int, _ value: StoredValue
    ) throws -> ManagedObject? {
        let path = FilterPath(slot: slot)
        let filter: Filter.Node =
            value.isNull ? .isNull(.path(path)) : .compare(path, .equal, value)
        let request = StoreRequest(entity: entity, filter: filter, limit: 1)
        return try reading { reader in
            if value.isNull || !table(of: entity).hasDiffering {
                return try queries.fetch(request, as: ManagedObject.self).first
            }
            let pending = try queries.pendingObject(entity, slot, value) { _ in true }
            let sink = PointSink(context: self, entity: entity, leavesOutDiffering: true)
            try reader.first(entity: entity, slot: slot, value: value, into: sink)
            // If the attribute is not unique, another row can have the same value.
            if sink.hasLeftOut && !isUnique(slot, of: entity) {
                return try queries.fetch(request, as: ManagedObject.self).first
            }
            guard let pending, let stored = sink.object else { return pending ?? sink.object }
            return pending.keyValue < stored.keyValue ? pending : stored
        }
    }

    private func isUnique(_ slot: Int, of entity: Int) -> Bool {
        coordinator.model.modelEntities[entity].description.uniqueGroups.contains {
            $0.slots.count == 1 && $0.slots[0] == slot
        }
    }
}

/// Creates an object from one row at most.
private final class PointSink: RowSink {
    let context: ManagedObjectContext
    let table: EntityTable
    private let leavesOutDiffering: Bool
    private(set) var object: ManagedObject?
    /// True if the row that was found belongs to a dirty object.
    private(set) var hasLeftOut = false

    init(context: ManagedObjectContext, entity: Int, leavesOutDiffering: Bool = false) {
        self.context = context
        self.leavesOutDiffering = leavesOutDiffering
        table = context.table(of: entity)
    }

    func wants(key: Int64, version: RowVersion, entity: Int) -> Bool {
        let known = table.object(key)
        if leavesOutDiffering {
            hasLeftOut = known?.has(ObjectFlags.differs) ?? table.deletedAbove.contains(key)
            if hasLeftOut { return false }
        }
        guard let known, type(of: known) == context.types[entity] else { return true }
        if known.bits & ObjectFlags.fault != 0 || known.rowVersion < version { return true }
        object = known
        return false
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {
        let made = try context.materialize(
            cells, key: key, version: version, entity: entity, known: table.map.find(key),
            in: table)
        object = made.takeRetainedValue()
    }
}
