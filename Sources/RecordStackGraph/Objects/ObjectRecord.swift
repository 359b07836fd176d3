import RecordStackModel

/// The bookkeeping of an object that was changed or whose to-many relationships were used.
@usableFromInline
final class ObjectRecord {
    struct Conflict {
        let slot: Int
        let theirs: StoredValue
        /// True if no merge may end the conflict.
        ///
        /// The row was newer than the rows that the context showed when the object was changed, or
        /// the change is based on an ancestor's change that was discarded. No value that is saved
        /// later shows which value the change was made from.
        var isTorn = false
    }

    // @exclusivity(unchecked): only the isolation of the object's context uses a record. A list of
    // members is taken out of the record while it changes.

    /// The values of changed slots as of the last save, merge or refresh.
    @exclusivity(unchecked) var old = OldValues()
    /// The written slots from 64 on.
    @exclusivity(unchecked) var writtenHigh = SlotSet()
    /// The slots that were changed here and elsewhere, with the other side's values.
    @exclusivity(unchecked) var conflicts: [Conflict] = []
    /// True if the values of an object that this context deletes may be older than its row.
    @exclusivity(unchecked) var isStale = false
    /// True if another context has changed the object since it was changed here.
    @exclusivity(unchecked) var isRemotelyModified = false
    /// The identities of the object's changes, for the changes of children that are based on them.
    ///
    /// Empty if no child's change is based on them. Several after a push.
    @exclusivity(unchecked) var origins: [EditOrigin] = []
    /// The ancestors' changes on which the changes of slots here are based.
    @exclusivity(unchecked) var baseOrigins: [(slot: Int, origin: EditOrigin)] = []
    /// The loaded keys of to-many relationships, by relationship.
    var members = MemberTable()
    /// The largest member counts of to-many relationships that the program has seen.
    var shownCounts = ShownCounts()

    func keep(_ value: StoredValue, of slot: Int) { old.append(value, of: slot) }

    func oldValue(of slot: Int) -> StoredValue? { old[slot] }

    func setOldValue(_ value: StoredValue, of slot: Int) { old.set(value, of: slot) }

    func forget(_ slot: Int) {
        old.remove(slot)
        forgetConflict(slot)
        setBaseOrigin(nil, of: slot)
    }

    func forgetConflict(_ slot: Int) {
        if !conflicts.isEmpty { conflicts.removeAll { $0.slot == slot } }
    }

    func setConflict(_ slot: Int, theirs: StoredValue, isTorn: Bool = false) {
        let isTorn = isTorn || self.isTorn(slot)
        forgetConflict(slot)
        conflicts.append(Conflict(slot: slot, theirs: theirs, isTorn: isTorn))
    }

    /// Puts a slot in conflict because its row was newer than the rows that the context showed.
    func setTorn(_ slot: Int, theirs: StoredValue) {
        forgetConflict(slot)
        conflicts.append(Conflict(slot: slot, theirs: theirs, isTorn: true))
    }

    func isTorn(_ slot: Int) -> Bool { conflicts.contains { $0.slot == slot && $0.isTorn } }

    /// Returns the stored value of a slot in conflict; nil if the slot is in no conflict.
    func theirs(of slot: Int) -> StoredValue? { conflicts.first { $0.slot == slot }?.theirs }

    func hasConflict(on slot: Int) -> Bool { conflicts.contains { $0.slot == slot } }

    func forgetChanges() {
        old.removeAll()
        if writtenHigh.hasHighSlots { writtenHigh = SlotSet() }
        if !conflicts.isEmpty { conflicts = [] }
        if !origins.isEmpty { origins = [] }
        if !baseOrigins.isEmpty { baseOrigins = [] }
        isStale = false
        isRemotelyModified = false
    }

    /// The record to keep when the object becomes a fault, or nil.
    var withoutChanges: ObjectRecord? {
        if shownCounts.isEmpty { return nil }
        let rest = ObjectRecord()
        rest.shownCounts = shownCounts
        return rest
    }
}
