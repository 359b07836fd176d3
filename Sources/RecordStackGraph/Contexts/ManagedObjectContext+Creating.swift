import RecordStackModel

extension ManagedObjectContext {
    /// Creates an object whose attributes have their declared defaults.
    ///
    /// ```swift
    /// let person = try context.create(Person.self)
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the class is not in the stack's model, or if
    ///   its entity is abstract. If the stack has to reserve more keys for new objects, the call
    ///   also throws the store's errors, such as ``RecordStackError/Code/busy``,
    ///   ``RecordStackError/Code/readOnly`` or ``RecordStackError/Code/closed``.
    @discardableResult
    public func create<Entity: ManagedObject>(_ type: Entity.Type) throws -> Entity {
        try enter()
        let use = beginUse()
        defer { endUse(use) }
        let entity = try coordinator.types.concreteIndex(of: type)
        let hierarchy = coordinator.model.modelEntities[entity].hierarchy
        sweeper.sweepIfGrown(tables[hierarchy])
        let key = try nextKey(hierarchy: hierarchy)
        if hooks[entity].contains(.awakeFromInsert) {
            return try hooks.awakingFromInsert(coordinator.model.modelEntities[entity].name) {
                insertObject(type, entity: entity, key: key)
            }
        }
        return insertObject(type, entity: entity, key: key)
    }

    /// Creates an object with a key that was leased for it.
    func insertObject<Entity: ManagedObject>(
        _ type: Entity.Type, entity: Int, key: Int64
    ) -> Entity {
        let object = type.init(
            seed: ObjectSeed(
                anchor: Unmanaged.passUnretained(anchor), key: key, version: .noRow, status: .new))
        monitor.counters.objectsCreated.add(1)
        let table = table(of: entity)
        table.register(object)
        table.dirtyObjects.append(object)
        return object
    }

    private func nextKey(hierarchy: Int) throws -> Int64 {
        if let key = tables[hierarchy].keys.next() { return key }
        tables[hierarchy].keys.refill(
            try coordinator.takeKeys(hierarchy: hierarchy, count: tables[hierarchy].keys.nextSize))
        // A chunk that was just refilled has at least one key.
        return tables[hierarchy].keys.next()!
    }

    /// Adds an object to the dirty list, which keeps it alive.
    func list(_ object: ManagedObject) {
        let table = table(of: entityIndex(of: object))
        if object.apply(.edited).contains(.orphans) {
            table.orphans.append(object)
            repair.pending.insert(.conflicts)
        }
        table.enterDirtyList(object)
    }
}

/// A range of keys for new objects of a context.
///
/// The first chunks are small, so that a context that creates one object wastes few keys.
struct KeyChunk {
    private var range: Range<Int64> = 0..<0
    private(set) var nextSize = 1

    mutating func next() -> Int64? {
        guard let key = range.first else { return nil }
        range = (key + 1)..<range.upperBound
        return key
    }

    mutating func refill(_ keys: Range<Int64>) {
        range = keys
        nextSize = min(nextSize * 2, 64)
    }
}
