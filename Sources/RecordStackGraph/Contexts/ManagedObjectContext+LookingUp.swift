package import RecordStackModel

extension ManagedObjectContext {
    /// The first object that has a value in a slot. The short way where nothing is changed in
    /// memory, because programs look objects up all the time.
    package func firstObject(
        of type: ManagedObject.Type, slot: Int, value: StoredValue
    ) throws -> ManagedObject? {
        let entity = try coordinator.types.index(of: type)
        let table = table(of: entity)
        if activeReader != nil || parentContext != nil || value.isNull || table.hasDiffering
            || needsRefreshByVersion
        {
            return try firstObjectAnywhere(entity, slot, value)
        }
        try enter()
        let use = beginUse()
        defer { endUse(use) }
        beginOperation()
        drainInbox()
        let object = try lookUpAlone(entity, slot, value)
        if owesHooks { callOwedHooks() }
        return object
    }

    @inline(__always)
    private func lookUpAlone(
        _ entity: Int, _ slot: Int, _ value: StoredValue
    ) throws -> ManagedObject? {
        let reader = try coordinator.store.reader()
        let before = beginReading(with: reader)
        defer { endReading(with: reader, before) }
        return try lookUp(reader, entity, slot, value)
    }

    func lookUp(
        _ reader: any StoreReader, _ entity: Int, _ slot: Int, _ value: StoredValue
    ) throws -> ManagedObject? {
        let sink = PointSink(context: self, entity: entity)
        try reader.first(entity: entity, slot: slot, value: value, into: sink)
        return sink.object
    }

    private func firstObjectAnywhere(
        _ entity: Int, _ slot: Int, _ value: StoredValue
    ) throws -> ManagedObject? {
        let path = FilterPath(slot: slot)
        let filter: Filter.Node =
            value.isNull ? .isNull(.path(path)) : .compare(path, .equal, value)
        let request = StoreRequest(entity: entity, filter: filter, limit: 1)
        return try fetch(request, as: ManagedObject.self).first
    }
}

/// Turns at most one row into an object.
private final class PointSink: RowSink {
    let context: ManagedObjectContext
    let table: EntityTable
    private(set) var object: ManagedObject?

    init(context: ManagedObjectContext, entity: Int) {
        self.context = context
        table = context.table(of: entity)
    }

    func wants(key: Int64, version: Int64, entity: Int) -> Bool {
        guard let known = table.object(key), type(of: known) == context.types[entity] else {
            return true
        }
        if known.bits & ObjectFlags.fault != 0 || known.rowVersion < version { return true }
        object = known
        return false
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: Int64, entity: Int) throws {
        let made = try context.materialize(
            cells, key: key, version: version, entity: entity, known: table.map.find(key),
            in: table)
        object = made.takeRetainedValue()
    }
}
