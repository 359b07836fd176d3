import RecordStackChanges
public import RecordStackModel

extension ManagedObject {
    /// Whether the object has unsaved changes.
    ///
    /// An object has changes if it is new, if the next save deletes it, or if one of its values
    /// differs from the value that was last loaded or saved. It also has changes if it was added to
    /// or removed from a relationship that is stored in a join table. Setting a property to its old
    /// value is not a change. If the members' own rows store a to-many relationship, changing the
    /// relationship changes the members, not this object: see `changes(of:)`.
    public final var hasChanges: Bool { hasRowChanges || hasLinkChanges }

    /// Whether a save must write the object's own row.
    final var hasRowChanges: Bool {
        if has(ObjectFlags.detached) { return false }
        // The object was deleted while a save was inserting it, so nothing of it is left to save.
        if has(ObjectFlags.inserted) && has(ObjectFlags.deleted) { return false }
        if has(ObjectFlags.inserted) || isToDelete { return true }
        return has(ObjectFlags.dirty) && !changedSlots.isEmpty
    }

    /// Returns the current values of all changed properties, by property name.
    ///
    /// A property is changed if its value differs from the value that was last loaded or saved. For
    /// a new object, the result contains all properties that were set. The value of a to-one
    /// relationship is the key of the related object, an integer.
    public final func changedValues() -> [String: StoredValue] {
        values(of: has(ObjectFlags.inserted) ? writtenSlots : changedSlots) {
            storedValue(at: $0)
        }
    }

    /// Returns the values of all changed properties as they were last loaded or saved.
    ///
    /// For a new object, the result is empty.
    public final func committedValues() -> [String: StoredValue] {
        has(ObjectFlags.inserted) ? [:] : values(of: changedSlots) { committedValue(at: $0) }
    }

    /// Whether a property of a new object has a value, either set or by default.
    ///
    /// A required property without a value reads as its type's placeholder and fails validation.
    /// For a new object, the result is false if the key path is not a property of the entity. For
    /// any other object, the result is always true.
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

    /// Whether a slot of a new object has a value; see ``isSet(_:)``.
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

    /// The values without the object's changes, by slot.
    final var committedRow: [StoredValue] { (0..<Self.slotCount).map(committedValue) }

    final func committedValue(at slot: Int) -> StoredValue {
        recordValue?.oldValue(of: slot) ?? storedValue(at: slot)
    }

    /// Marks the values of an object that this context deletes as older than its row.
    ///
    /// Merges do not update such an object.
    final func markStale() {
        tellIfWatched()
        record.isStale = true
    }

    /// Returns the value of a slot in the object's row, as far as its context has merged it.
    ///
    /// The object must be loaded.
    final func rowValue(at slot: Int) -> StoredValue {
        guard let record = recordValue else { return storedValue(at: slot) }
        return record.theirs(of: slot) ?? record.oldValue(of: slot) ?? storedValue(at: slot)
    }

    /// Sets values of slots without marking the slots as changed.
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
