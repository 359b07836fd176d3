import RecordStackChanges
package import RecordStackModel

// The changes that imports and upserts make in a context.
extension ManagedObjectContext {
    /// Checks that an entity is in the model and is not abstract.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` otherwise.
    package func requireConcrete(_ type: ManagedObject.Type) throws {
        _ = try coordinator.types.concreteIndex(of: type)
    }

    /// Assigns the values that differ from the object's values, as its setters would.
    ///
    /// - Returns: True if any value differed.
    package func assign(
        _ values: [(slot: Int, value: StoredValue)], to object: ManagedObject
    ) throws -> Bool {
        // `awakeFromFetch()` may set values, so it runs before the comparison.
        try object.load()
        let isNew = object.has(ObjectFlags.inserted)
        var changed: [(slot: Int, value: StoredValue)] = []
        for (slot, value) in values {
            let isSame = object.storedValue(at: slot).isStoredSame(as: value)
            // A value of a new object counts as set even if it equals the initial value.
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
    /// Assigns the values of a row that differ from the object's values, as its setters would.
    ///
    /// - Parameters:
    ///   - row: A cell for each slot that may be assigned. One cell before them receives reports.
    ///   - width: The number of cells, not counting the one before them.
    ///   - slots: The attributes to assign.
    ///   - isFresh: True if the object was created for the row, so that no comparison is needed.
    ///   - scratch: Memory for the object's current values. It grows with each call.
    /// - Returns: True if any value differed, and always for a fresh object.
    package func assign(
        _ row: UnsafeMutablePointer<Cell>, width: Int, slots: SlotSet, to object: ManagedObject,
        isFresh: Bool, scratch: ByteArena
    ) throws -> Bool {
        if isFresh && object.bits & ObjectFlags.plainNewMask == ObjectFlags.plainNew {
            object.markWritten(slots)
            object.loadValues(RowCells(base: row, count: width), slots: slots)
            return true
        }
        // `awakeFromFetch()` may set values, so it runs before the comparison.
        try object.load()
        let changed = keepOldValues(of: object, where: row, slots, scratch)
        if changed.isEmpty { return isFresh }
        object.loadValues(RowCells(base: row, count: width), slots: changed)
        return true
    }

    /// Keeps the old values that differ from a row's, and returns their slots.
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
                // A value of a new object counts as set even if it equals the initial value.
                if isNew && !isWritten { object.keepOldValue(.null, of: slot) }
                if own[slot].isSame(as: row[slot]) { return }
                if !isNew && !isWritten { object.keepOldValue(own[slot].storedValue, of: slot) }
                changed.insert(slot)
            }
            return changed
        }
    }
}
