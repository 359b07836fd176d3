/// The values of an object at one moment, as a value that can leave a context.
///
/// ```swift
/// let ann = try await stack.read { context in
///     try Person.findFirst(by: \.email, "ann@example.org", in: context)?.snapshot
/// }
/// print(ann?.name ?? "nobody", ann?.team as Any)     // a String, the ManagedObjectID of the team
/// ```
///
/// You read stored properties by the same names as in the entity. A snapshot does not have the
/// entity's computed properties, because these read the object. If you read a computed property
/// without a setter, the compiler warns, and the read throws. If a computed property has a setter,
/// the compiler cannot tell it from a stored property, so the read stops the program. To have a
/// computed property in snapshots, declare it again:
///
/// ```swift
/// extension Snapshot where Entity == Person {
///     var isAdult: Bool { (self.age ?? 0) >= 18 }
/// }
/// ```
///
/// Two snapshots are equal if they have the same object and the same values.
@dynamicMemberLookup
public struct Snapshot<Entity: ManagedEntity>: Sendable {
    /// The ID of the object.
    public let objectID: ManagedObjectID
    package let values: [StoredValue]
    /// The description of the object's own entity, which may inherit from `Entity`.
    package let entity: EntityDescription
    /// The members of relationships that are stored in join tables.
    ///
    /// The array is empty unless the snapshot was taken with its members.
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
    /// - Precondition: the property is a stored property. A computed property with a setter is not.
    public subscript<Value: AttributeValue>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Entity, Value>
    ) -> Value {
        guard let value = stored(at: keyPath) else {
            preconditionFailure(notStored)
        }
        return value
    }

    /// The ID of the object at the end of a to-one relationship.
    /// - Precondition: the property is a stored property. A computed property with a setter is not.
    public subscript<Destination: ManagedEntity>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Entity, Destination?>
    ) -> ManagedObjectID? {
        guard let slot = slot(ofRelationshipAt: keyPath) else {
            preconditionFailure(notStored)
        }
        return destination(at: slot, Destination.self)
    }

    /// Reads an attribute whose setter is not accessible, and throws for a computed property.
    ///
    /// The compiler warns about each use, because a computed property would have to read the
    /// object, which a snapshot does not have.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the property is not stored.
    @available(
        *, deprecated,
        message:
            "A snapshot has what is stored. A computed property is written for it once more: extension Snapshot where Entity == TheType { var name: … { self.other … } }. A stored one that cannot be set here is read with try snapshot[\\.name]."
    )
    public subscript<Value: AttributeValue>(dynamicMember keyPath: KeyPath<Entity, Value>) -> Value
    {
        get throws { try self[keyPath] }
    }

    /// Reads a to-one relationship whose setter is not accessible.
    ///
    /// The compiler warns about each use. For a computed property, the read throws.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the property is not stored.
    @available(
        *, deprecated,
        message:
            "A snapshot has what is stored. A computed property is written for it once more: extension Snapshot where Entity == TheType { var name: … { self.other … } }. A stored one that cannot be set here is read with try snapshot[\\.name]."
    )
    public subscript<Destination: ManagedEntity>(
        dynamicMember keyPath: KeyPath<Entity, Destination?>
    ) -> ManagedObjectID? {
        get throws { try self[keyPath] }
    }

    /// The value of an attribute, even if the entity's property has a private setter.
    ///
    /// ```swift
    /// let number = try snapshot[\.number]     // private(set) var number: Int
    /// ```
    /// - Throws: ``RecordStackError/Code/misuse`` if the property is not stored.
    public subscript<Value: AttributeValue>(_ keyPath: KeyPath<Entity, Value>) -> Value {
        get throws {
            guard let value = stored(at: keyPath) else {
                throw RecordStackError(.misuse, notStored, objectID: objectID)
            }
            return value
        }
    }

    /// The ID of a to-one relationship's object, even if the property has a private setter.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the property is not stored.
    public subscript<Destination: ManagedEntity>(
        _ keyPath: KeyPath<Entity, Destination?>
    ) -> ManagedObjectID? {
        get throws {
            guard let slot = slot(ofRelationshipAt: keyPath) else {
                throw RecordStackError(.misuse, notStored, objectID: objectID)
            }
            return destination(at: slot, Destination.self)
        }
    }

    private var notStored: String {
        let name = Entity.entityDescription.name
        return
            "A snapshot of \(name) has its stored properties. A computed one is written for it once more: "
            + "extension Snapshot where Entity == \(name) { … }."
    }

    private func stored<Value: AttributeValue>(at keyPath: KeyPath<Entity, Value>) -> Value? {
        guard case .attribute(let attribute)? = Entity.entityDescription.property(at: keyPath)
        else { return nil }
        // An attribute of exactly this type wrote the value.
        return Value(storedValue: values[attribute.slot]) ?? .placeholder
    }

    private func slot(ofRelationshipAt keyPath: AnyKeyPath) -> Int? {
        guard
            case .relationship(let relationship)? = Entity.entityDescription.property(at: keyPath)
        else { return nil }
        return relationship.slot
    }

    private func destination(at slot: Int, _ type: any ManagedEntity.Type) -> ManagedObjectID? {
        guard case .integer(let key) = values[slot] else { return nil }
        let destination = type.entityDescription
        let home = ManagedObjectID.Home(
            store: objectID.storeUUID, entityName: destination.name, rootName: destination.root.name
        )
        return ManagedObjectID(home: home, key: key)
    }

    /// Returns the values as a snapshot of a subentity, or nil for an object of another entity.
    ///
    /// The returned snapshot can also read the attributes that the subentity declares.
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

    /// The stored values by property name.
    public var storedValues: [String: StoredValue] {
        Dictionary(uniqueKeysWithValues: zip(entity.slots.map(\.name), values))
    }
}

/// The members that a snapshot's object had in one relationship.
package struct SnapshotMembers: Sendable {
    /// The relationship's index in its entity.
    package let relationship: Int
    /// The row keys of the members, in their order if the relationship is ordered.
    package let keys: [Int64]

    package init(relationship: Int, keys: [Int64]) {
        self.relationship = relationship
        self.keys = keys
    }
}

extension Snapshot: Hashable {
    /// Whether both snapshots have the same object and the same values.
    public static func == (lhs: Snapshot, rhs: Snapshot) -> Bool {
        lhs.objectID == rhs.objectID && lhs.values == rhs.values
    }

    /// Hashes the object's ID and the values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(objectID)
        hasher.combine(values)
    }
}
