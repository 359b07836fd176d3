import RecordStackModel

extension ManagedObjectContext {
    /// The number by which this context learns of what was saved, or that of the one that it stands for.
    var origin: Int { parentSnapshot?.shared.number ?? cursor.number }

    /// The published changes of this context, which contexts of other isolations read; nil if there are none of these.
    var published: PublishedChanges? { parentContext == nil ? tree.published : nil }

    /// The copy that this context is of one in another isolation; nil for one that has changes of its own.
    var parentSnapshot: ParentSnapshot? { parentContext == nil ? tree.parentSnapshot : nil }

    /// Whether the context that this one stands for has saved another value of a slot than this one took over, and has
    /// that no more: what rests on this one has not seen what was saved.
    func isOvertaken(
        _ slot: Int, of object: ManagedObject, entity: Int, _ taken: StoredValue
    ) -> Bool {
        parentSnapshot?.isOvertaken(entity: entity, key: object.keyValue, slot: slot, taken)
            ?? false
    }
}
