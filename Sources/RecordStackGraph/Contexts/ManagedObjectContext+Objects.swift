public import RecordStackModel

extension ManagedObjectContext {
    /// Returns the object with an ID if the context holds it, or nil.
    ///
    /// Also returns nil if the context's next save deletes the object. The call never reads the
    /// store.
    public func registeredObject(_ id: ManagedObjectID) -> ManagedObject? {
        checkIsolation()
        guard let entity = coordinator.entity(of: id),
            let object = table(of: entity).object(id.key),
            !object.has(ObjectFlags.deleted) || object.has(ObjectFlags.orphaned)
        else { return nil }
        return object
    }

    /// Returns the object with an ID, as a fault if the context does not hold it.
    ///
    /// A fault loads its values when you first read a property. The call itself does not check
    /// whether the row exists.
    ///
    /// If the entity of the ID has subentities, the call reads the row at once, because the row
    /// determines the object's class.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an ID of another store or of an entity that
    ///   is not in the stack's model. Throws ``RecordStackError/Code/notFound`` if the context can
    ///   tell that the object does not exist.
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

    /// Returns the object with an ID, with its values loaded.
    ///
    /// - Throws: ``RecordStackError/Code/notFound`` if no such object exists, or if it is not of
    ///   the given class. In the second case, the message names the object's class.
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

    /// Returns the loaded object with a key as this context sees it, or nil if it does not exist.
    func findObject(key: Int64, entity: Int) throws -> ManagedObject? {
        if let known = visibleObject(key: key, entity: entity) { return known.object }
        // Reads of relationships get here, too, so the objects that the caller sees must not be
        // released.
        return try withReader { reader in
            let sink = FetchSink(
                context: self, entity: entity, skipsDiffering: true, expected: 1)
            try reader.rows(.keys([key], entity: coordinator.rootEntity(of: entity)), into: sink)
            return sink.takeResults(as: ManagedObject.self).first
        }
    }

    /// Returns the object with a key, or a fault for it.
    func objectOrFault(key: Int64, entity: Int) throws -> ManagedObject? {
        if let known = visibleObject(key: key, entity: entity) { return known.object }
        let model = coordinator.model
        // A fault needs its class when it is created, and an entity with subentities leaves several
        // to choose from. A key below 1 was written by another program, and the identity map could
        // not keep it. In both cases the object is read at once.
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

    /// Looks up a key in this context and its ancestors, without the store.
    ///
    /// - Returns: Nil if none of them has the key. Otherwise a pair whose object is nil if it is
    ///   deleted.
    func visibleObject(key: Int64, entity: Int) -> (object: ManagedObject?, Void)? {
        // A loop, not recursion: a chain of contexts may be thousands long.
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

    /// Looks up a key in this context alone, with the same result.
    private func knownObject(key: Int64, entity: Int) -> (object: ManagedObject?, Void)? {
        let table = table(of: entity)
        if let object = table.object(key) {
            return (object.has(ObjectFlags.deleted) ? nil : object, ())
        }
        return table.deletedAbove.contains(key) ? (nil, ()) : nil
    }

    /// Returns an object as the lowest of some contexts shows it.
    ///
    /// - Parameter contexts: The contexts below the object's, nearest to `object` last. Each is the
    ///   child of the next.
    /// - Returns: Nil if the lowest context shows the stored row.
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

    /// Whether this context or an ancestor will delete the object with a key.
    func isKnownToBeGone(key: Int64, entity: Int) -> Bool {
        guard let known = visibleObject(key: key, entity: entity) else { return false }
        return known.object == nil
    }

    /// Loads a fault, from the ancestor that has changed the object or from the store.
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
        // The caller reads a property, so the objects that it sees must not be released.
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
        // The row is not this object's if another program changed its entity.
        guard entity == self.entity else { return }
        context.refresh(object, with: cells, version: version)
        isLoaded = true
        if let slot = cells.takeUnexpectedSlot() {
            throw context.unexpectedValue(slot: slot, of: object)
        }
    }
}
