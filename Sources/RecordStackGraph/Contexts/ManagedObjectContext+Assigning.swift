package import RecordStackModel

// What imports and upserts do to a context.
extension ManagedObjectContext {
    /// - Throws: misuse for an entity that is not in the model or that is abstract.
    package func requireConcrete(_ type: ManagedObject.Type) throws {
        _ = try coordinator.types.concreteIndex(of: type)
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
