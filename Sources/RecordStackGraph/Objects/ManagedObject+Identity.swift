public import RecordStackModel

// Two objects of one row are one and the same in a context, so that identity is equality there.
extension ManagedObject: Hashable {
    /// Whether both are the same object. Objects of two contexts never are, also where their IDs are equal:
    /// compare ``objectID`` where rows are meant.
    ///
    /// ```swift
    /// let isMember = team.members.contains(ann)
    /// let byTeam = Dictionary(grouping: people, by: \.team)
    /// ```
    public static func == (lhs: ManagedObject, rhs: ManagedObject) -> Bool { lhs === rhs }

    /// Hashes the object's identity. Costs no statement, and loads nothing.
    public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// A property of an entity may be called id as well: then it is that, and lists still take this one.
extension ManagedObject: Identifiable {
    /// What lists know an object by.
    public typealias ID = ManagedObjectID
}

extension Identifiable where Self: ManagedObject {
    /// The object's ID: the same in every context, and after the object was let go of and found again.
    public var id: ManagedObjectID { objectID }
}

// Of the protocol, so that an entity's own property of the name stands before it.
extension ManagedEntity where Self: ManagedObject {
    /// Whether the object is to be deleted by the next save, or is not there any more: deleted, by whomever, or new and
    /// rolled back.
    public var isDeleted: Bool {
        has(ObjectFlags.deleted) || has(ObjectFlags.gone)
    }
}
