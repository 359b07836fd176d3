package import RecordStackModel

// What an import does to a context.
extension ManagedObjectContext {
    /// - Throws: misuse for an entity that is not in the model or that is abstract.
    package func requireConcrete(_ type: ManagedObject.Type) throws {
        _ = try coordinator.types.concreteIndex(of: type)
    }

    /// The objects that differ from the store, with their values of a slot.
    package func pendingObjects<Entity: ManagedObject>(
        of type: Entity.Type, slot: Int
    ) throws -> [(value: StoredValue, object: Entity)] {
        let entity = try coordinator.types.index(of: type)
        return try reading { _ in
            try differingObjects(of: entity).compactMap { object in
                if object.has(ObjectFlags.deleted) { return nil }
                try ensureLoaded(object)
                // The entity's objects are of its class or of one that inherits from it.
                return (object.storedValue(at: slot), unsafeDowncast(object, to: type))
            }
        }
    }

    /// The objects as stored that have one of some values, found with one query. Objects that
    /// differ from the store are left out.
    package func storedObjects<Entity: ManagedObject>(
        of type: Entity.Type, slot: Int, among values: [StoredValue]
    ) throws -> [Entity] {
        let entity = try coordinator.types.index(of: type)
        let request = StoreRequest(
            entity: entity, filter: .among(FilterPath(slot: slot), values))
        return try reading { reader in
            let sink = FetchSink(
                context: self, entity: entity, skipsDiffering: true, expected: values.count)
            try reader.rows(request, into: sink)
            return sink.takeResults(as: type)
        }
    }

    /// Gives an object values as its setters would, where they differ from what it has.
    /// - Returns: whether any did.
    package func assign(
        _ values: [(slot: Int, value: StoredValue)], to object: ManagedObject
    ) throws -> Bool {
        // Its hook may set values of its own, so it comes first.
        try object.load()
        let isNew = object.has(ObjectFlags.inserted)
        var changed: [(slot: Int, value: StoredValue)] = []
        for (slot, value) in values {
            let isSame = object.storedValue(at: slot).isStoredSame(as: value)
            // A new object's value counts as set although it is what the object began with.
            if isNew && !object.isWritten(slot) { object.keepOldValue(.null, of: slot) }
            if isSame { continue }
            if !object.isWritten(slot) {
                object.keepOldValue(object.storedValue(at: slot), of: slot)
            }
            changed.append((slot, value))
        }
        object.setStoredValues(changed)
        return !changed.isEmpty
    }
}
