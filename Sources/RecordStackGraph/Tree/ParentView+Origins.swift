import RecordStackChanges
import RecordStackModel

// Tracks the base of each change: an ancestor's unsaved change, or a stored value.
extension ParentView {
    /// Records the base of a slot's change: an ancestor's unsaved change, or a stored value.
    func noteBaseOrigin(of slot: Int, in object: ManagedObject) {
        if context.parentContext == nil { return }
        let (above, base) = (
            nearestChange(of: slot, in: object), object.recordValue?.oldValue(of: slot)
        )
        // The object may still show the value from before the ancestor's change.
        let isShown = base.map { above?.storedValue(at: slot).isStoredSame(as: $0) == true }
        object.record.setBaseOrigin(isShown == true ? above?.record.origin : nil, of: slot)
    }

    /// Whether a slot's change is based on an ancestor's change that was discarded.
    ///
    /// The result is true even if the discarded value shows again.
    func isBaseLost(_ slot: Int, of object: ManagedObject) -> Bool {
        guard let origin = object.recordValue?.baseOrigin(of: slot) else { return false }
        // A commit that is not merged yet may have saved the change before it was discarded.
        return origin.isDiscarded && !context.cursor.hasUnread
    }

    /// Marks an object's changes as discarded, for the children's changes that are based on them.
    ///
    /// Does nothing in a parent snapshot, which discards no changes: it is only copied anew.
    func discardOrigins(of object: ManagedObject) {
        guard let record = object.recordValue, !record.origins.isEmpty,
            context.parentSnapshot == nil
        else {
            return
        }
        record.origins.forEach { $0.discard() }
        record.origins = []
    }

    /// Bases changes on the store if a save has written the ancestors' changes below them.
    ///
    /// A save contains no changes of the contexts below the one that saves.
    func forgetBaseOrigins(
        of slots: SlotSet, in object: ManagedObject, savedBy source: ChangeOrigin
    ) {
        guard let record = object.recordValue, !source.savedEdits.isEmpty else { return }
        record.baseOrigins.removeAll {
            slots.contains($0.slot) && source.savedEdits.contains($0.origin)
        }
    }

    /// Takes over the origins of a child's changes, which are this context's changes from now on.
    ///
    /// Changes of the child's own children are based on these origins.
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

    /// Makes merges compare changes by value alone from now on.
    ///
    /// Called if a commit was dropped that may have saved the ancestors' changes below them.
    func forgetBaseOrigins() {
        if context.parentContext == nil { return }
        for table in tables {
            for object in table.dirtyObjects { object.recordValue?.baseOrigins = [] }
        }
    }
}
