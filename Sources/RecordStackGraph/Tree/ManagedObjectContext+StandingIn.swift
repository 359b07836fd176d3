import RecordStackModel

extension ManagedObjectContext {
    /// The cursor number under which commits list the changes of this context.
    ///
    /// For a parent snapshot, it is the number of the context that the snapshot copies.
    var origin: Int { parentSnapshot?.shared.number ?? cursor.number }

    /// The published changes of this context; nil if no context of another isolation reads them.
    var published: PublishedChanges? { parentContext == nil ? tree.published : nil }

    /// The state of this context as a parent snapshot; nil if it is an ordinary context.
    var parentSnapshot: ParentSnapshot? { parentContext == nil ? tree.parentSnapshot : nil }

    /// True if the copied value of a slot is out of date in the context that it was copied from.
    ///
    /// Called if a save has written another value. Contexts that are based on this snapshot have
    /// not seen the written value.
    func isOvertaken(
        _ slot: Int, of object: ManagedObject, entity: Int, _ taken: StoredValue
    ) -> Bool {
        parentSnapshot?.isOvertaken(entity: entity, key: object.keyValue, slot: slot, taken)
            ?? false
    }
}
