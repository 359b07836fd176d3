import RecordStackChanges
import RecordStackModel

// What changes rest on: an ancestor's unsaved change, or a stored value.
extension ParentView {
    /// Notes what a slot's change rests on: an ancestor's unsaved change, or a stored value.
    func noteBaseOrigin(of slot: Int, in object: ManagedObject) {
        if context.parentContext == nil { return }
        let (above, base) = (
            nearestChange(of: slot, in: object), object.recordValue?.oldValue(of: slot)
        )
        // The object may still show the value before the ancestor's change.
        let isShown = base.map { above?.storedValue(at: slot).isStoredSame(as: $0) == true }
        object.record.setBaseOrigin(isShown == true ? above?.record.origin : nil, of: slot)
    }

    /// True if a slot's change rests on an ancestor's change that was given up, even if the same value shows.
    func isBaseLost(_ slot: Int, of object: ManagedObject) -> Bool {
        guard let origin = object.recordValue?.baseOrigin(of: slot) else { return false }
        // A commit that is not taken in yet may have saved the change before.
        return origin.isGivenUp && !context.cursor.hasUnread
    }

    /// Tells the changes that rest on an object's changes that these are given up. The copy of another isolation's context
    /// gives nothing up: it is made anew.
    func giveUpOrigins(of object: ManagedObject) {
        guard let record = object.recordValue, !record.origins.isEmpty,
            context.parentSnapshot == nil
        else {
            return
        }
        record.origins.forEach { $0.giveUp() }
        record.origins = []
    }

    /// Rests changes on the store if the ancestors' changes below them were saved.
    func forgetBaseOrigins(
        of slots: SlotSet, in object: ManagedObject, savedBy source: ChangeOrigin
    ) {
        guard let record = object.recordValue, !record.baseOrigins.isEmpty,
            source.isOfAncestor(of: context)
        else { return }
        record.baseOrigins.removeAll { slots.contains($0.slot) }
    }

    /// Takes over the identities of a child's changes, which are this context's from now on: changes of the child's own
    /// children rest on them.
    func takeOrigins(of changes: EntityChanges, from child: ManagedObjectContext) {
        let (table, pushed) = (table(of: changes.entity), child.table(of: changes.entity))
        func takeOrigins(of key: Int64) {
            guard let origins = pushed.object(key)?.recordValue?.origins, !origins.isEmpty else {
                return
            }
            table.object(key)?.record.origins += origins
        }
        changes.insertedKeys.forEach(takeOrigins)
        for index in changes.updates.indices { takeOrigins(of: changes.updates.key(at: index)) }
    }

    /// Compares changes by value alone from now on: a commit was dropped that may have saved what they rest on.
    func forgetBaseOrigins() {
        if context.parentContext == nil { return }
        for table in tables {
            for object in table.dirtyObjects { object.recordValue?.baseOrigins = [] }
        }
    }
}
