/// The values of an object at one moment: what leaves a context.
///
/// ```swift
/// let ann = try await stack.read { context in
///     try Person.findFirst(by: \.email, "ann@example.org", in: context)?.snapshot
/// }
/// print(ann?.name ?? "nobody", ann?.team as Any)     // a String, the ManagedObjectID of the team
/// ```
///
/// Properties are read by the entity's own names. Two snapshots are equal where they are of the
/// same object with the same values.
@dynamicMemberLookup
public struct Snapshot<Entity: ManagedEntity>: Sendable {
    /// The object.
    public let objectID: ManagedObjectID
    package let values: [StoredValue]
    /// The description of the object's own entity, which may inherit from `Entity`.
    package let entity: EntityDescription
    /// The members of relationships that neither side's row keeps; none where nobody has looked.
    package let members: [SnapshotMembers]

    package init(
        objectID: ManagedObjectID, entity: EntityDescription, values: [StoredValue],
        members: [SnapshotMembers] = []
    ) {
        self.objectID = objectID
        self.entity = entity
        self.values = values
        self.members = members
    }

    /// The value of an attribute.
    /// - Precondition: the property is declared with `@Attribute`.
    public subscript<Value: AttributeValue>(dynamicMember keyPath: KeyPath<Entity, Value>) -> Value
    {
        guard case .attribute(let attribute)? = Entity.entityDescription.property(at: keyPath)
        else {
            preconditionFailure(unknownProperty(of: Entity.self))
        }
        // The value was written by an attribute of this very type.
        return Value(storedValue: values[attribute.slot]) ?? .placeholder
    }

    /// The ID of the object at the end of a to-one relationship.
    /// - Precondition: the property is declared with `@Relationship`.
    public subscript<Destination: ManagedEntity>(
        dynamicMember keyPath: KeyPath<Entity, Destination?>
    ) -> ManagedObjectID? {
        guard
            case .relationship(let relationship)? = Entity.entityDescription.property(at: keyPath),
            let slot = relationship.slot
        else {
            preconditionFailure(unknownProperty(of: Entity.self))
        }
        guard case .integer(let key) = values[slot] else { return nil }
        let destination = Destination.entityDescription
        let home = ManagedObjectID.Home(
            store: objectID.storeUUID, entityName: destination.name, rootName: destination.root.name
        )
        return ManagedObjectID(home: home, key: key)
    }

    /// The same values as those of a subentity, whose own attributes can then be read; nil where the
    /// object is not one.
    ///
    /// ```swift
    /// for snapshot in try Employee.snapshots(in: context) {
    ///     if let manager = snapshot.as(Manager.self) { print(manager.level) }
    /// }
    /// ```
    public func `as`<Other: ManagedEntity>(_ type: Other.Type) -> Snapshot<Other>? {
        guard entity.isKind(of: Other.entityDescription) else { return nil }
        return Snapshot<Other>(
            objectID: objectID, entity: entity, values: values, members: members)
    }

    /// The values by name, as they are stored.
    public var storedValues: [String: StoredValue] {
        Dictionary(uniqueKeysWithValues: zip(entity.slots.map(\.name), values))
    }
}

/// The members that an object of a snapshot had in one relationship.
package struct SnapshotMembers: Sendable {
    /// By its place in the entity.
    package let relationship: Int
    /// In their order, where they have one.
    package let keys: [Int64]

    package init(relationship: Int, keys: [Int64]) {
        self.relationship = relationship
        self.keys = keys
    }
}

extension Snapshot: Hashable {
    /// Whether both are of the same object and have the same values.
    public static func == (lhs: Snapshot, rhs: Snapshot) -> Bool {
        lhs.objectID == rhs.objectID && lhs.values == rhs.values
    }

    /// Hashes the object's identity and the values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(objectID)
        hasher.combine(values)
    }
}
