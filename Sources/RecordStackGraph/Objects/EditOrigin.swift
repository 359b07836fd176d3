import RecordStackChanges
import RecordStackModel
import Synchronization

/// Identifies an object's unsaved changes until they are saved or given up.
///
/// A child's change of a changed value rests on them. If the parent gives them up, an equal value from elsewhere is another
/// step, so it does not replace the one that the child has seen.
final class EditOrigin: Sendable {
    private let state = Atomic(false)

    /// True if the changes were rolled back. Contexts of other isolations that rest on the changes read it.
    var isGivenUp: Bool { state.load(ordering: .acquiring) }

    func giveUp() { state.store(true, ordering: .releasing) }
}

extension ObjectRecord {
    /// The identity of the object's changes, made when a child first asks for it.
    var origin: EditOrigin {
        if let origin = origins.last { return origin }
        let origin = EditOrigin()
        origins.append(origin)
        return origin
    }

    /// The ancestor's change that a slot's change rests on; nil if it rests on a stored value.
    func baseOrigin(of slot: Int) -> EditOrigin? {
        if baseOrigins.isEmpty { return nil }
        return baseOrigins.first { $0.slot == slot }?.origin
    }

    func setBaseOrigin(_ origin: EditOrigin?, of slot: Int) {
        if !baseOrigins.isEmpty { baseOrigins.removeAll { $0.slot == slot } }
        if let origin { baseOrigins.append((slot, origin)) }
    }
}

extension ManagedObjectContext {
    /// Notes what a slot's change rests on: an ancestor's unsaved change, or a stored value.
    func noteBaseOrigin(of slot: Int, in object: ManagedObject) {
        if parentContext == nil { return }
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
        return origin.isGivenUp && !cursor.hasUnread
    }

    /// Tells the changes that rest on an object's changes that these are given up. The copy of another isolation's context
    /// gives nothing up: it is made anew.
    func giveUpOrigins(of object: ManagedObject) {
        guard let record = object.recordValue, !record.origins.isEmpty, standIn == nil else {
            return
        }
        record.origins.forEach { $0.giveUp() }
        record.origins = []
    }

    /// Rests changes on the store if the ancestors' changes below them were saved.
    func forgetBaseOrigins(
        of slots: SlotSet, in object: ManagedObject, savedBy source: MergeSource
    ) {
        guard let record = object.recordValue, !record.baseOrigins.isEmpty,
            source.isOfAncestor(of: self)
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
        if parentContext == nil { return }
        for table in tables {
            for object in table.listed { object.recordValue?.baseOrigins = [] }
        }
    }
}
