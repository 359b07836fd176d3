import RecordStackModel

/// What is kept of an object that was changed, or whose to-many relationships were looked at.
@usableFromInline
final class ObjectRecord {
    struct OldValue {
        let slot: Int
        var value: StoredValue
    }

    struct Conflict {
        let slot: Int
        let theirs: StoredValue
    }

    /// The values of changed slots as they were at the last save, merge or refresh.
    var old: [OldValue] = []
    /// The written slots from 64 on.
    var writtenHigh = SlotSet()
    /// Slots that were changed here and elsewhere, with the other value.
    var conflicts: [Conflict] = []
    /// Changes of the object were saved while it was to be deleted here, and were not taken over.
    var isOutdated = false
    /// The keys of to-many relationships that were looked at, by relationship.
    var members: [Int: MemberKeys] = [:]

    func keep(_ value: StoredValue, of slot: Int) {
        old.append(OldValue(slot: slot, value: value))
    }

    func oldValue(of slot: Int) -> StoredValue? {
        old.first { $0.slot == slot }?.value
    }

    func setOldValue(_ value: StoredValue, of slot: Int) {
        if let index = old.firstIndex(where: { $0.slot == slot }) {
            old[index].value = value
        } else {
            keep(value, of: slot)
        }
    }

    func forget(_ slot: Int) {
        old.removeAll { $0.slot == slot }
        forgetConflict(slot)
    }

    func forgetConflict(_ slot: Int) {
        conflicts.removeAll { $0.slot == slot }
    }

    func setConflict(_ slot: Int, theirs: StoredValue) {
        forgetConflict(slot)
        conflicts.append(Conflict(slot: slot, theirs: theirs))
    }

    func forgetChanges() {
        old = []
        writtenHigh = SlotSet()
        conflicts = []
        isOutdated = false
    }
}
