import RecordStackChanges
public import RecordStackModel

extension ManagedObject {
    /// Whether the object differs from what its context last read or saved: it is new, to be deleted, has a value that
    /// differs, or was added to or removed from a relationship that a join table keeps. Setting a value to what it was
    /// is no change. A change of a to-many whose members keep the key is a change of those members: see `changes(of:)`.
    public final var hasChanges: Bool { hasRowChanges || hasLinkChanges }

    /// Whether the object's own row is to be written.
    final var hasRowChanges: Bool {
        if has(ObjectFlags.detached) { return false }
        // Given up while it was being written: nothing of it is left to save.
        if has(ObjectFlags.inserted) && has(ObjectFlags.deleted) { return false }
        if has(ObjectFlags.inserted) || isToDelete { return true }
        return has(ObjectFlags.dirty) && !changedSlots.isEmpty
    }

    /// The properties whose values differ from those last read or saved, with the values they have
    /// now. In a new object these are all that were set. Keys of to-one relationships are integers.
    public final func changedValues() -> [String: StoredValue] {
        values(of: has(ObjectFlags.inserted) ? writtenSlots : changedSlots) {
            storedValue(at: $0)
        }
    }

    /// The values last read or saved of the properties that differ from them now.
    public final func committedValues() -> [String: StoredValue] {
        has(ObjectFlags.inserted) ? [:] : values(of: changedSlots) { committedValue(at: $0) }
    }

    /// Whether a property was ever given a value: a required one that was not reads as its type's
    /// placeholder, and fails validation. False for a key path that is no property of the entity.
    public final func isSet(_ keyPath: AnyKeyPath) -> Bool {
        guard has(ObjectFlags.inserted) else { return true }
        switch Self.entityDescription.anyProperty(at: keyPath) {
        case .attribute(let attribute)?: return attribute.hasDefault || isWritten(attribute.slot)
        case .relationship(let relationship)?:
            guard let slot = relationship.slot, relationship.isRequired else { return true }
            return isWritten(slot)
        case nil: return false
        }
    }

    /// The same of a slot.
    package final func isSet(at slot: Int) -> Bool {
        !has(ObjectFlags.inserted) || isWritten(slot)
            || !Self.entityDescription.slotsToSet.contains(slot)
    }

    private final func values(
        of slots: SlotSet, _ value: (Int) -> StoredValue
    ) -> [String: StoredValue] {
        var result: [String: StoredValue] = [:]
        let names = Self.entityDescription.slots
        slots.forEach { result[names[$0].name] = value($0) }
        return result
    }

    /// The written slots whose values differ from the old ones.
    final var changedSlots: SlotSet {
        var slots = SlotSet()
        recordValue?.old.forEach { old in
            if !storedValue(at: old.slot).isStoredSame(as: old.value) { slots.insert(old.slot) }
        }
        return slots
    }

    /// The values below its changes, by slot.
    final var committedRow: [StoredValue] { (0..<Self.slotCount).map(committedValue) }

    final func committedValue(at slot: Int) -> StoredValue {
        recordValue?.oldValue(of: slot) ?? storedValue(at: slot)
    }

    /// Changes of the object were saved while it was to be deleted here, and were not taken over.
    final func markStale() {
        tellIfWatched()
        record.isStale = true
    }

    /// The value of a slot in the object's row, as far as its context has heard. The object must be loaded.
    final func rowValue(at slot: Int) -> StoredValue {
        guard let record = recordValue else { return storedValue(at: slot) }
        return record.theirs(of: slot) ?? record.oldValue(of: slot) ?? storedValue(at: slot)
    }

    /// Gives slots values without marking them as changed.
    final func setStoredValues(_ values: [(slot: Int, value: StoredValue)]) {
        guard !values.isEmpty else { return }
        let batch = RowBatch(width: Self.slotCount)
        var slots = SlotSet()
        for entry in values { slots.insert(entry.slot) }
        batch.append { writer in
            for slot in 0..<Self.slotCount {
                writer.append(values.first { $0.slot == slot }?.value ?? .null)
            }
        }
        loadValues(batch, row: 0, slots: slots)
    }
}
