import RecordStackModel

/// What is kept of an object that was changed, or whose to-many relationships were looked at.
@usableFromInline
final class ObjectRecord {
    struct Conflict {
        let slot: Int
        let theirs: StoredValue
        /// True if the row was newer than the rows that the context showed when the object was changed, or if the change
        /// rests on an ancestor's that was given up. No merge ends such a conflict, because no value that is saved later
        /// says what the change was made from.
        var isTorn = false
    }

    // @exclusivity(unchecked): only the isolation of the object's context uses a record. A list of members is taken out while it is changed.

    /// The values of changed slots as they were at the last save, merge or refresh.
    @exclusivity(unchecked) var old = OldValues()
    /// The written slots from 64 on.
    @exclusivity(unchecked) var writtenHigh = SlotSet()
    /// Slots that were changed here and elsewhere, with the other value.
    @exclusivity(unchecked) var conflicts: [Conflict] = []
    /// Changes of the object were saved while it was to be deleted here, and were not taken over.
    @exclusivity(unchecked) var isStale = false
    /// Others have changed the object since it was changed here.
    @exclusivity(unchecked) var isRemotelyModified = false
    /// Identify the changes for the changes of children that rest on them; empty if there are none, several after a push.
    @exclusivity(unchecked) var origins: [EditOrigin] = []
    /// The ancestors' changes that slots changed here rest on.
    @exclusivity(unchecked) var baseOrigins: [(slot: Int, origin: EditOrigin)] = []
    /// The keys of to-many relationships that were looked at, by relationship.
    var members = MemberTable()
    /// Which indexes of to-many relationships the program knows of.
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

    /// What stays when the object becomes a fault; nil where nothing does.
    var withoutChanges: ObjectRecord? {
        if shownCounts.isEmpty { return nil }
        let rest = ObjectRecord()
        rest.shownCounts = shownCounts
        return rest
    }
}
