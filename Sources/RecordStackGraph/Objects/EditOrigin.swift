import RecordStackChanges
import RecordStackModel

/// Identifies an object's unsaved changes, from the first of them until they are saved or given up.
///
/// A child's change of a changed value rests on them. An equal value from elsewhere is another step, so it does not replace
/// the one that the child has seen.
final class EditOrigin: Sendable {}

extension ObjectRecord {
    /// The identity of the object's changes, made when a child first asks for it.
    var origin: EditOrigin {
        if let origin = origins.first { return origin }
        let origin = EditOrigin()
        origins.append(origin)
        return origin
    }

    func isOrigin(_ origin: EditOrigin) -> Bool { origins.contains { $0 === origin } }

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
        guard let origin = object.recordValue?.baseOrigin(of: slot), !cursor.hasUnread else {
            return false
        }
        return !changes(of: slot, above: object).contains {
            $0.recordValue?.isOrigin(origin) == true
        }
    }

    /// Rests changes on the store if the ancestors' changes below them were saved.
    /// - Parameter source: the save; nil if the commit that says whose changes were saved was dropped.
    func forgetBaseOrigins(
        of slots: SlotSet, in object: ManagedObject, savedBy source: MergeSource?
    ) {
        guard let record = object.recordValue, !record.baseOrigins.isEmpty,
            source?.isOfAncestor(of: self) != false
        else { return }
        record.baseOrigins.removeAll { slots.contains($0.slot) }
    }
}
