public import RecordStackModel

// Generated accessors call these functions. A read costs a flag test and a field access. A write
// costs a bit test and a field access, once its slot was written.
//
// The slow paths promise to release nothing that their caller can see (`@_effects(releasenone)`).
// Without this promise, every access would retain and release the object around a call that is
// rarely made. The slow paths release only the following:
//
// - memory of the tables in which a context indexes its dirty objects,
// - values of a fault, which no code has read,
// - an object whose row is gone, except for the reader's own reference,
// - a context whose last reference this was, with objects that nothing else references.
//
// A program's own code may run meanwhile, but it cannot reach the objects that the reader sees.
// Conversions of its types receive a value and return one, a deinit belongs to no isolation, and
// the fault handler runs on its own thread. Life-cycle hooks are never called here: see
// ManagedObject+AccessKinds.swift.
extension ManagedObject {
    @inlinable final var bits: UInt64 { bitsValue }

    /// Loads the object if it is a fault.
    ///
    /// Generated getters call this method first.
    @inlinable
    public final func willAccessValue() {
        if bitsValue & 1 != 0 { fireFault() }
    }

    /// Keeps the old value of a stored property before its first change since the last save.
    ///
    /// Generated setters call this method before they store the new value.
    @inlinable
    public final func willChangeValue<Value: AttributeValue>(
        at slot: Int, from old: @autoclosure () -> Value
    ) {
        if slot < 64 {
            let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: slot)
            if writtenValue & bit != 0 && bitsValue & ObjectFlags.watched == 0 { return }
            if bitsValue & ObjectFlags.plainNewMask == ObjectFlags.plainNew {
                writtenValue |= bit
                return
            }
        }
        willWrite(slot)
        keepOldValue(old().storedValue, of: slot)
    }

    /// Loads a fault before its first write, which must not lose the object's other values.
    ///
    /// Removes the object from its context's indexes while it still has its old values.
    @_effects(releasenone) @inline(never) @usableFromInline
    final func willWrite(_ slot: Int) {
        tellIfWatched()
        if bitsValue & ObjectFlags.fault != 0 { fireFault() }
    }

    // `releasenone`: it adds to a record and releases no object. See the head of this file.
    @_effects(releasenone) @inline(never) @usableFromInline
    final func keepOldValue(_ old: StoredValue, of slot: Int) {
        if isWritten(slot) { return }
        // A detached object has no record to change.
        if isDetached { return noteSettingDetached(slot) }
        if has(ObjectFlags.waking) && Self.entityDescription.slots[slot].relationship == nil {
            return
        }
        if bitsValue & ObjectFlags.inserted == 0 {
            record.keep(old, of: slot)
            if bitsValue & ObjectFlags.inheritsEdits != 0 {
                anchor.context?.parentView.noteBaseOrigin(of: slot, in: self)
            }
        }
        markWritten(slot)
        if bitsValue & ObjectFlags.dirty == 0 { anchor.context?.list(self) }
    }

    final func markWritten(_ slot: Int) {
        if slot < 64 {
            writtenValue |= 1 << UInt64(slot)
        } else {
            record.writtenHigh.insert(slot)
        }
    }

    final func markWritten(_ slots: SlotSet) {
        writtenValue |= slots.lowBits
        if slots.hasHighSlots { record.writtenHigh.formUnion(slots.subtracting(SlotSet(all: 64))) }
    }

    package final func isWritten(_ slot: Int) -> Bool {
        slot < 64
            ? writtenValue & (1 << UInt64(slot)) != 0
            : recordValue?.writtenHigh.contains(slot) == true
    }

    final func unmarkWritten(_ slot: Int) {
        if slot < 64 {
            writtenValue &= ~(1 << UInt64(slot))
        } else {
            recordValue?.writtenHigh.remove(slot)
        }
    }

    /// The slots that were written, even if their values equal the old ones.
    final var writtenSlots: SlotSet {
        var slots = recordValue?.writtenHigh ?? SlotSet()
        slots.formUnion(SlotSet(low: writtenValue))
        return slots
    }

    /// The object's bookkeeping besides its values, created when it is first needed.
    final var record: ObjectRecord {
        if let recordValue { return recordValue }
        let made = ObjectRecord()
        recordValue = made
        return made
    }

    // `releasenone`: the context keeps what this call loads until the next operation. See the head
    // of this file.
    @_effects(releasenone) @inline(never) @usableFromInline
    final func fireFault() {
        guard let context = anchor.context, bitsValue & ObjectFlags.detached == 0 else { return }
        do {
            try context.loadFault(self)
        } catch {
            context.errors.report(error)
        }
    }
}
