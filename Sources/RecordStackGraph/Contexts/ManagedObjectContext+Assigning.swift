import RecordStackChanges
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

extension ManagedObjectContext {
    /// Gives an object values of a row as its setters would, where they differ from what it has.
    /// - Parameters:
    ///   - row: a cell for each slot that may be given, and one before them, which takes reports.
    ///   - width: how many cells there are, without that one.
    ///   - slots: the attributes that are given.
    ///   - isFresh: whether the object was made for the row, so that nothing has to be compared.
    ///   - scratch: memory for the values that the object has; it grows with each call.
    /// - Returns: whether any value differed; true for an object that is fresh.
    package func assign(
        _ row: UnsafeMutablePointer<Cell>, width: Int, slots: SlotSet, to object: ManagedObject,
        isFresh: Bool, scratch: ByteArena
    ) throws -> Bool {
        if isFresh && object.bits & ObjectFlags.plainNewMask == ObjectFlags.plainNew {
            object.markWritten(slots)
            object.loadValues(RowCells(base: row, count: width), slots: slots)
            return true
        }
        // Its hook may set values of its own, so it comes first.
        try object.load()
        let changed = keepOldValues(of: object, where: row, slots, scratch)
        if changed.isEmpty { return isFresh }
        object.loadValues(RowCells(base: row, count: width), slots: changed)
        return true
    }

    /// The slots whose values differ from those of a row; what the object has there is kept as its old values.
    private func keepOldValues(
        of object: ManagedObject, where row: UnsafeMutablePointer<Cell>, _ slots: SlotSet,
        _ scratch: ByteArena
    ) -> SlotSet {
        let isNew = object.has(ObjectFlags.inserted)
        let width = type(of: object).slotCount
        return withUnsafeTemporaryAllocation(of: Cell.self, capacity: width) { own in
            var writer = CellWriter(cells: own, arena: scratch)
            object.write(to: &writer)
            writer.finish()
            var changed = SlotSet()
            slots.forEach { slot in
                let isWritten = object.isWritten(slot)
                // A new object's value counts as set although it is what the object began with.
                if isNew && !isWritten { object.keepOldValue(.null, of: slot) }
                if own[slot].isSame(as: row[slot]) { return }
                if !isNew && !isWritten { object.keepOldValue(own[slot].storedValue, of: slot) }
                changed.insert(slot)
            }
            return changed
        }
    }
}
