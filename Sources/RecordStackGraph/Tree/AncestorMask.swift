import RecordStackChanges
import RecordStackModel

/// The changed slots of a child's object that an ancestor has changed, too.
///
/// A merge with a row that another context has saved treats the two sets differently.
struct AncestorMask {
    /// The slots whose change is based on an ancestor's changed value. The merge leaves them alone.
    var carries = SlotSet()
    /// The slots whose change is based on the row's own value, which an ancestor has changed since.
    ///
    /// The merge may record a conflict for them, but it does not end their change.
    var hides = SlotSet()
}

extension ParentView {
    func ancestorMask(of object: ManagedObject, from source: ChangeOrigin) -> AncestorMask {
        var mask = AncestorMask()
        if source.isOwn || !object.has(ObjectFlags.inheritsEdits) || !object.has(ObjectFlags.dirty)
        {
            return mask
        }
        object.changedSlots.forEach { slot in
            guard let above = topmostChange(of: slot, in: object) else { return }
            let row = above.committedValue(at: slot)
            if row.isStoredSame(as: object.committedValue(at: slot)) {
                mask.hides.insert(slot)
            } else {
                mask.carries.insert(slot)
            }
        }
        return mask
    }

    /// Whether any ancestor has changed a slot of an object.
    ///
    /// The search begins with the nearest ancestor. It ends there if each context of a deep chain
    /// has changed the slot.
    func isChangedAbove(_ slot: Int, in object: ManagedObject) -> Bool {
        nearestChange(of: slot, in: object) != nil
    }

    /// Returns an object's counterpart in the nearest ancestor that has changed a slot of it.
    func nearestChange(of slot: Int, in object: ManagedObject) -> ManagedObject? {
        let entity = entityIndex(of: object)
        for above in context.ancestors {
            if let change = above.parentView.change(of: slot, in: object.keyValue, entity: entity) {
                return change
            }
        }
        return nil
    }

    /// Returns an object's counterpart in the topmost ancestor that has changed a slot of it.
    func topmostChange(of slot: Int, in object: ManagedObject) -> ManagedObject? {
        let entity = entityIndex(of: object)
        var topmost: ManagedObject?
        for above in context.ancestors {
            topmost =
                above.parentView.change(of: slot, in: object.keyValue, entity: entity) ?? topmost
        }
        return topmost
    }

    /// Returns this context's object of a row if this context has changed a slot of it.
    private func change(of slot: Int, in key: Int64, entity: Int) -> ManagedObject? {
        guard let known = table(of: entity).object(key), known.has(ObjectFlags.dirty),
            !known.isFault,
            known.has(ObjectFlags.inserted) || known.changedSlots.contains(slot)
        else { return nil }
        return known
    }
}
