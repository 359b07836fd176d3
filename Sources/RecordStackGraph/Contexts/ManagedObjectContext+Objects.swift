public import RecordStackModel

extension ManagedObjectContext {
    /// The object of an ID, if this context holds it already and is not to delete it. Never reads
    /// the store.
    public func registeredObject(_ id: ManagedObjectID) -> ManagedObject? {
        checkIsolation()
        guard let entity = coordinator.entity(of: id),
            let object = table(of: entity).object(id.key),
            !object.has(ObjectFlags.deleted) || object.has(ObjectFlags.orphaned)
        else { return nil }
        return object
    }

    /// The object of an ID. One that the context does not hold yet comes as a fault, whose values
    /// are loaded when they are first read; whether there is such a row shows only then.
    ///
    /// Where several entities share a table and the ID does not say which it is, the row is read
    /// at once.
    /// - Throws: ``RecordStackError/Code/misuse`` for an ID of another store or entity, and
    ///   ``RecordStackError/Code/notFound`` where the object is known to be deleted.
    public func object(_ id: ManagedObjectID) throws -> ManagedObject {
        try enter()
        let entity = try coordinator.requireEntity(of: id)
        return try reading(onlyHeld: true) { _ in
            guard let object = try objectOrFault(key: id.key, entity: entity) else {
                throw Self.notFound(id)
            }
            return object
        }
    }

    /// The object of an ID, with its values loaded.
    /// - Throws: ``RecordStackError/Code/notFound`` where there is none, or one of another class, which the message names.
    public func existingObject<Entity: ManagedObject>(
        _ id: ManagedObjectID, as type: Entity.Type = ManagedObject.self
    ) throws -> Entity {
        let entity = try coordinator.requireEntity(of: id)
        return try reading(onlyHeld: true) { _ in
            guard let found = try findObject(key: id.key, entity: entity) else {
                throw Self.notFound(id)
            }
            guard let object = found as? Entity else { throw Self.isOther(found, than: type) }
            try ensureLoaded(object)
            return object
        }
    }

    private static func notFound(_ id: ManagedObjectID) -> RecordStackError {
        RecordStackError(
            .notFound, "There is no \(id.entityName) of the ID \(id).", entity: id.entityName,
            objectID: id)
    }

    private static func isOther(
        _ object: ManagedObject, than type: ManagedObject.Type
    ) -> RecordStackError {
        let (wanted, own) = (
            type.entityDescription.name, Swift.type(of: object).entityDescription.name
        )
        return RecordStackError(
            .notFound,
            "\(object.objectID) is an object of \(own), and one of \(wanted) was asked for. Ask \(own) for it, or "
                + "take the ID of the \(wanted) that is meant.",
            entity: wanted, objectID: object.objectID)
    }

    /// The object of a key as this context sees it, loaded; nil where there is none.
    func findObject(key: Int64, entity: Int) throws -> ManagedObject? {
        if let known = visibleObject(key: key, entity: entity) { return known.object }
        // Reading a relationship comes here, too: what the reader sees must not go.
        return try withReader { reader in
            let sink = FetchSink(
                context: self, entity: entity, skipsDiffering: true, expected: 1)
            try reader.rows(.keys([key], entity: coordinator.rootEntity(of: entity)), into: sink)
            return sink.takeResults(as: ManagedObject.self).first
        }
    }

    /// The object of a key, or a fault for it.
    func objectOrFault(key: Int64, entity: Int) throws -> ManagedObject? {
        if let known = visibleObject(key: key, entity: entity) { return known.object }
        let model = coordinator.model
        // A fault has a class from the start. What refers to a key that is none, which the identity map could not keep,
        // was written by another program: the store tells what there is of it.
        if model.modelEntities[entity].kinds.count > 1 || key <= 0 {
            return try findObject(key: key, entity: entity)
        }
        let object = coordinator.types.types[entity].init(
            seed: ObjectSeed(
                anchor: Unmanaged.passUnretained(anchor), key: key, version: .noRow,
                status: .fault))
        table(of: entity).register(object)
        return object
    }

    /// What this context and its ancestors know of a key: nothing, an object, or that it is
    /// deleted.
    func visibleObject(key: Int64, entity: Int) -> (object: ManagedObject?, Void)? {
        // Going up and down again, not calling itself: contexts may hang one below the other, thousands deep.
        var below: [ManagedObjectContext] = []
        var context = self
        while true {
            if let known = context.knownObject(key: key, entity: entity) {
                guard let object = known.object else { return (nil, ()) }
                return Self.overlay(of: object, in: below, entity: entity).map { ($0, ()) }
            }
            guard let parent = context.parentContext else { return nil }
            below.append(context)
            context = parent
        }
    }

    /// What this context alone knows of a key.
    private func knownObject(key: Int64, entity: Int) -> (object: ManagedObject?, Void)? {
        let table = table(of: entity)
        if let object = table.object(key) {
            return (object.has(ObjectFlags.deleted) ? nil : object, ())
        }
        return table.deletedAbove.contains(key) ? (nil, ()) : nil
    }

    /// An object as the last of some contexts shows it, each of which hangs below the next; nil where they show what the
    /// store has.
    private static func overlay(
        of object: ManagedObject, in contexts: [ManagedObjectContext], entity: Int
    ) -> ManagedObject? {
        var above = object
        for context in contexts.reversed() {
            guard above.has(ObjectFlags.differs) else { return nil }
            above = context.parentView.makeInheriting(of: above, in: context.table(of: entity))
        }
        return above
    }

    /// Whether this context or an ancestor is to delete the object of a key.
    func isKnownToBeGone(key: Int64, entity: Int) -> Bool {
        guard let known = visibleObject(key: key, entity: entity) else { return false }
        return known.object == nil
    }

    /// Loads a fault: from an ancestor that has changed it, else from the store.
    func loadFault(_ object: ManagedObject) throws {
        if usage.isClosed || coordinator.isClosed { throw RecordStackError.closedStack }
        monitor.counters.faultsLoaded.add(1)
        let table = table(of: entityIndex(of: object))
        if let parent = parentContext,
            let known = parent.visibleObject(
                key: object.keyValue, entity: entityIndex(of: object)),
            let above = known.object, above.has(ObjectFlags.differs)
        {
            object.apply(.valuesLoaded)
            parentView.takeValues(of: above, into: object, table: table)
            didLoad(object)
            return
        }
        let entity = entityIndex(of: object)
        loader.loadWithSiblings(object.keyValue, entity: entity)
        if !object.isFault { return }
        let sink = LoadSink(object: object, context: self, entity: entity)
        // A property is being read: what the reader sees must not go.
        try withReader { reader in
            try reader.rows(.keys([object.keyValue], entity: sink.entity), into: sink)
        }
        guard sink.isLoaded else {
            let id = object.objectID
            members.forgetMembers(of: object)
            table.unregister(object, isGone: true)
            throw Self.notFound(id)
        }
    }
}

/// Loads the values of one object.
private final class LoadSink: RowSink {
    let object: ManagedObject
    let context: ManagedObjectContext
    let entity: Int
    private(set) var isLoaded = false

    init(object: ManagedObject, context: ManagedObjectContext, entity: Int) {
        self.object = object
        self.context = context
        self.entity = entity
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {
        // A row that another program has made one of another entity is not this object's.
        guard entity == self.entity else { return }
        context.refresh(object, with: cells, version: version)
        isLoaded = true
        if let slot = cells.takeUnexpectedSlot() {
            throw context.unexpectedValue(slot: slot, of: object)
        }
    }
}
