public import RecordStackModel

// A context has one object for each row, so equality within a context is identity.
extension ManagedObject: Hashable {
    /// Whether both values refer to the same object.
    ///
    /// Objects of two contexts are never equal, even if their IDs are equal. To find out whether
    /// two objects represent the same row, compare their ``objectID``.
    ///
    /// ```swift
    /// let isMember = team.members.contains(ann)
    /// let byTeam = Dictionary(grouping: people, by: \.team)
    /// ```
    public static func == (lhs: ManagedObject, rhs: ManagedObject) -> Bool { lhs === rhs }

    /// Hashes the object's reference, as `===` compares it, without loading the object.
    public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// An entity may declare its own property `id`, which shadows this one. Lists still use this one.
extension ManagedObject: Identifiable {
    /// The type of an object's ID.
    public typealias ID = ManagedObjectID
}

extension Identifiable where Self: ManagedObject {
    /// The object's ID, which is the same in every context and never changes.
    public var id: ManagedObjectID { objectID }
}

// An extension of the protocol, so that a property of this name in an entity takes precedence.
extension ManagedEntity where Self: ManagedObject {
    /// Whether the next save deletes the object, or its row is gone.
    ///
    /// Also true for a new object that was rolled back.
    public var isDeleted: Bool {
        has(ObjectFlags.deleted) || has(ObjectFlags.gone)
    }
}
