import RecordStackModel

/// What of an object's changes lies over an ancestor's changes, and not over the row itself, when others save the row.
struct AncestorCover {
    /// Changes of values that an ancestor has changed, whatever is saved under those.
    var carries = SlotSet()
    /// Changes of the row's own values, which an ancestor has changed since.
    var hides = SlotSet()
}

extension ManagedObjectContext {
    func ancestorCover(of object: ManagedObject, from source: MergeSource) -> AncestorCover {
        var cover = AncestorCover()
        if source.isOwn || !object.has(ObjectFlags.overlaid) || !object.has(ObjectFlags.listed) {
            return cover
        }
        object.changedSlots.forEach { slot in
            guard let above = topmostChange(of: slot, in: object) else { return }
            let row = above.committedValue(at: slot)
            if row.isStoredSame(as: object.committedValue(at: slot)) {
                cover.hides.insert(slot)
            } else {
                cover.carries.insert(slot)
            }
        }
        return cover
    }

    /// An object's counterpart in the ancestor furthest up that has changed a slot of it.
    func topmostChange(of slot: Int, in object: ManagedObject) -> ManagedObject? {
        let entity = entityIndex(of: object)
        var (topmost, above) = (ManagedObject?.none, parentContext)
        while let context = above {
            above = context.parentContext
            guard let known = context.table(of: entity).object(object.keyValue),
                known.has(ObjectFlags.listed), !known.isFault
            else { continue }
            if known.has(ObjectFlags.inserted) || known.changedSlots.contains(slot) {
                topmost = known
            }
        }
        return topmost
    }
}
