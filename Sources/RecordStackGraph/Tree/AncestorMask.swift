import RecordStackChanges
import RecordStackModel

/// What of an object's changes lies over an ancestor's changes, and not over the row itself, when others save the row.
struct AncestorMask {
    /// Changes of values that an ancestor has changed, whatever is saved under those.
    var carries = SlotSet()
    /// Changes of the row's own values, which an ancestor has changed since.
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

    /// Whether any ancestor has changed a slot of an object. The nearest one is asked first: where each level of a deep
    /// chain has changed it, the answer costs nothing.
    func isChangedAbove(_ slot: Int, in object: ManagedObject) -> Bool {
        nearestChange(of: slot, in: object) != nil
    }

    /// An object's counterpart in the nearest ancestor that has changed a slot of it.
    func nearestChange(of slot: Int, in object: ManagedObject) -> ManagedObject? {
        let entity = entityIndex(of: object)
        for above in context.ancestors {
            if let change = above.parentView.change(of: slot, in: object.keyValue, entity: entity) {
                return change
            }
        }
        return nil
    }

    /// An object's counterpart in the ancestor furthest up that has changed a slot of it.
    func topmostChange(of slot: Int, in object: ManagedObject) -> ManagedObject? {
        let entity = entityIndex(of: object)
        var topmost: ManagedObject?
        for above in context.ancestors {
            topmost =
                above.parentView.change(of: slot, in: object.keyValue, entity: entity) ?? topmost
        }
        return topmost
    }

    /// This context's object of a row, if a slot of it was changed here.
    private func change(of slot: Int, in key: Int64, entity: Int) -> ManagedObject? {
        guard let known = table(of: entity).object(key), known.has(ObjectFlags.dirty),
            !known.isFault,
            known.has(ObjectFlags.inserted) || known.changedSlots.contains(slot)
        else { return nil }
        return known
    }
}
