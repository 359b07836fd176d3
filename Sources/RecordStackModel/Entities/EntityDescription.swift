/// An entity's name and properties.
///
/// Inherited properties come first. A class with `@Entity` has one description, which is created on
/// first access.
public final class EntityDescription: Sendable {
    /// The class's name.
    public let name: String
    /// The name of the table that the entity and its subentities share.
    ///
    /// By default, it is the name of the topmost entity of the hierarchy.
    public let storedName: String
    /// The entity that this entity inherits from, or nil if there is none.
    public let superentity: EntityDescription?
    /// Whether the entity is abstract, so that only its subentities can have objects.
    public let isAbstract: Bool
    /// The attributes in the order of their declaration, with inherited attributes first.
    public let attributes: [AttributeDescription]
    /// The relationships in the order of their declaration, with inherited relationships first.
    public let relationships: [RelationshipDescription]
    /// The class, by which a model finds the entity.
    package let type: any ManagedEntity.Type
    /// The attribute by which an import finds the object of a row.
    ///
    /// It is nil if the identity is a to-one relationship or consists of several properties, or if
    /// the entity has no identity.
    public let identity: AttributeDescription?
    /// The slots of the attributes and to-one relationships that form the identity.
    ///
    /// Empty if every row of an import is a new object.
    package let identitySlots: [Int]

    /// Error messages about the entity's declarations.
    package let problems: [String]
    /// The groups of slots whose values no two objects may share, inherited groups first.
    package let uniqueGroups: [SlotGroup]
    /// The groups of slots with a common index, inherited groups first.
    package let indexGroups: [SlotGroup]
    package let slots: [SlotDescription]
    /// The slots that must have a value.
    package let requiredSlots: SlotSet
    /// The required slots that can turn out to be null even if they were set.
    ///
    /// They are the slots of attributes that can be set to NaN, of to-one relationships, whose
    /// object can be missing, and of attributes of a custom type.
    package let slotsToCheck: [Int]
    /// The required slots that a program must set, because they have no declared default.
    package let slotsToSet: SlotSet
    /// The attributes that have checks other than the check for a missing value.
    package let checkedAttributes: [AttributeDescription]
    private let properties: PropertyTable

    /// A property that a key path names.
    package enum Property: Sendable {
        case attribute(AttributeDescription)
        case relationship(RelationshipDescription)

        package var name: String {
            switch self {
            case .attribute(let attribute): attribute.name
            case .relationship(let relationship): relationship.name
            }
        }
    }

    /// Creates a description from the same values that the `@Entity` macro passes.
    ///
    /// - Parameters:
    ///   - name: the entity's name.
    ///   - type: the class of the objects.
    ///   - superentity: the description of the superclass, or nil if the superclass is
    ///     `ManagedObject`.
    ///   - properties: all properties, with inherited properties first.
    ///   - identity: the attributes and to-one relationships by which an import finds the object of
    ///     a row. If you pass none, the entity inherits the identity of the superentity. If the
    ///     superentity has no identity, and exactly one attribute is unique, that attribute is the
    ///     identity. If no attribute is unique, and the entity has exactly one `.unique` group,
    ///     that group is the identity.
    ///   - options: the options of the entity as a whole.
    public init(
        name: String, type: any ManagedEntity.Type, superentity: EntityDescription? = nil,
        properties: [PropertyDescription], identity: (any AnyKeyPath & Sendable)...,
        options: [EntityOption] = []
    ) {
        var builder = Builder()
        for property in properties { builder.add(property) }
        var declared = EntityOptions()
        for option in options { option.apply(&declared) }
        let table = PropertyTable(builder.table)
        let groups = GroupBuilder(
            entity: name, superentity: superentity, slots: builder.slots, table: table)
        self.name = name
        self.type = type
        self.superentity = superentity
        attributes = builder.attributes
        relationships = builder.relationships
        slots = builder.slots
        requiredSlots = builder.required
        slotsToSet = builder.toSet
        checkedAttributes = builder.attributes.filter { !$0.checks.isEmpty }
        slotsToCheck = builder.required.slots.filter { !builder.slots[$0].isNeverNull }
        self.properties = table
        isAbstract = declared.isAbstract
        storedName = declared.storedName ?? superentity?.storedName ?? name
        uniqueGroups = groups.unique(declared.unique)
        indexGroups = groups.indexed(declared.indexed)
        var problems = declared.problems + groups.problems(declared)
        if let superentity, declared.storedName != nil {
            problems.append(
                "\(name) shares the table of \(superentity.root.name): .stored(as:) belongs there.")
        }
        let named = identity.compactMap(groups.slot)
        if named.count < identity.count {
            problems.append(
                "The identity of \(name) is none of its attributes and to-one relationships.")
        }
        let identitySlots =
            named.isEmpty
            ? Self.identity(superentity, uniqueGroups, builder.slots) : named
        self.identitySlots = identitySlots
        self.identity =
            identitySlots.count == 1
            ? builder.attributes.first { $0.slot == identitySlots[0] } : nil
        self.problems = problems
    }

    /// Returns the slots of the identity if none was declared.
    private static func identity(
        _ superentity: EntityDescription?, _ groups: [SlotGroup], _ slots: [SlotDescription]
    ) -> [Int] {
        if let superentity, !superentity.identitySlots.isEmpty { return superentity.identitySlots }
        let attributes = slots.indices.filter { slots[$0].isUnique }
        if !attributes.isEmpty { return attributes.count == 1 ? attributes : [] }
        return groups.count == 1 ? groups[0].slots : []
    }

    /// Whether no two objects can have the same identity; true without an identity.
    package var isIdentityUnique: Bool {
        identitySlots.isEmpty || identitySlots.contains { slots[$0].isUnique }
            || uniqueGroups.contains { Set($0.slots).isSubset(of: identitySlots) }
    }

    /// Whether both descriptions belong to the same class.
    ///
    /// A class written by hand may create a new description on each access.
    package func isSame(as other: EntityDescription) -> Bool { type == other.type }

    package var typeIdentity: ObjectIdentifier { ObjectIdentifier(type) }

    /// Returns the description of a superclass, for the descriptions of its subclasses.
    public static func superentity(_ type: any ManagedEntity.Type) -> EntityDescription {
        let description = type.entityDescription
        if description.type == type { return description }
        // The class inherits this description from an entity and declares none itself.
        return undeclared(type)
    }

    /// Returns the description of a class without `@Entity`.
    ///
    /// Creating a model with it throws an error that tells you to add `@Entity`.
    package static func undeclared(_ type: any ManagedEntity.Type) -> EntityDescription {
        EntityDescription(
            name: "\(type)", type: type, properties: [],
            options: [
                EntityOption {
                    $0.problems.append("\(type) is no entity. Write @Entity before the class.")
                }
            ])
    }

    /// Exists only for its error message, which says that the class is not an entity.
    @available(
        *, unavailable,
        message:
            "An entity inherits from ManagedObject, or from a class that is marked with @Entity."
    )
    public static func superentity(_ type: Any.Type) -> EntityDescription {
        // The declaration is unavailable, so no call of it compiles.
        fatalError("not available")
    }

    /// Returns the property that a key path with one component names; nil if it names none.
    package func property(at keyPath: AnyKeyPath) -> Property? { properties[keyPath] }

    /// Returns the slot and collation of the attribute that a key path with one component names.
    ///
    /// Nil if the key path names no attribute. The lookup costs less than ``property(at:)``.
    package func attributeSlot(at keyPath: AnyKeyPath) -> AttributeSlot? {
        properties.attributeSlot(at: keyPath)
    }

    /// Returns the to-many relationship that a key path counts, such as `\Team.members.count`.
    package func countedRelationship(at keyPath: AnyKeyPath) -> RelationshipDescription? {
        properties.countedRelationship(at: keyPath)
    }

    /// Returns the property that a key path names, with this entity or a superentity as its root.
    package func anyProperty(at keyPath: AnyKeyPath) -> Property? {
        properties[keyPath] ?? superentity?.anyProperty(at: keyPath)
    }

    /// Returns the key path of a property, rooted in the entity that declares the property.
    package func keyPath(ofPropertyNamed name: String) -> (any AnyKeyPath & Sendable)? {
        superentity?.keyPath(ofPropertyNamed: name) ?? properties.keyPath(named: name)
    }

    /// Returns the attribute with a name, or nil if there is none.
    public func attribute(named name: String) -> AttributeDescription? {
        attributes.first { $0.name == name }
    }

    /// Returns the relationship with a name, or nil if there is none.
    public func relationship(named name: String) -> RelationshipDescription? {
        relationships.first { $0.name == name }
    }

    /// The topmost entity of the entity's hierarchy, whose table the entity shares.
    public var root: EntityDescription {
        var entity = self
        while let next = entity.superentity { entity = next }
        return entity
    }

    /// Whether the entity is the given entity or inherits from it.
    public func isKind(of other: EntityDescription) -> Bool {
        var entity: EntityDescription? = self
        while let current = entity {
            if current.isSame(as: other) { return true }
            entity = current.superentity
        }
        return false
    }
}

/// The slot of an attribute in an entity's rows.
package struct AttributeSlot: Sendable {
    package let slot: Int
    /// The collation that orders the values.
    package let collation: Collation
}

/// A column of an entity's rows: an attribute, or the key of a to-one relationship.
package struct SlotDescription: Sendable {
    package let name: String
    package let storedName: String
    package let type: AttributeType
    package let isOptional: Bool
    package let isUnique: Bool
    /// The collation of the index; nil if there is no index.
    package let index: Collation?
    /// The index of the relationship whose key the slot holds; nil for an attribute.
    package let relationship: Int?
    /// The Swift type's name, for messages.
    package var typeName: String { valueType?.wrappedTypeName ?? "key" }
    /// The attribute's Swift type; nil for a relationship's key.
    fileprivate let valueType: (any AttributeValue.Type)?
    /// Returns whether the property accepts a value whose storage class alone does not decide that.
    fileprivate let accepts: @Sendable (StoredValue) -> Bool
}

extension SlotDescription {
    /// Whether a value from the store can be a value of the property.
    package func canBe(_ value: StoredValue) -> Bool {
        switch (type, value) {
        case (_, .null): isOptional
        case (.bool, .integer(0...1)), (.integer, .integer), (.double, .real), (.double, .integer),
            (.date, .real), (.date, .integer), (.string, .text), (.data, .blob):
            true
        default: accepts(value)
        }
    }
}

extension SlotDescription {
    /// Whether the type alone guarantees that no value is stored as null.
    fileprivate var isNeverNull: Bool {
        let safe: [AttributeType] = [.bool, .integer, .string, .data, .uuid, .url]
        return relationship == nil && safe.contains(type)
    }
}

extension EntityDescription {
    private struct Builder {
        var attributes: [AttributeDescription] = []
        var relationships: [RelationshipDescription] = []
        var slots: [SlotDescription] = []
        var required = SlotSet()
        var toSet = SlotSet()
        var table: [PropertyTable.Entry] = []

        mutating func add(_ property: PropertyDescription) {
            switch property.kind {
            case .attribute(var attribute):
                attribute.slot = slots.count
                add(attribute)
                add(property.keyPath, .attribute(attribute))
            case .relationship(var relationship):
                relationship.index = relationships.count
                if !relationship.isToMany {
                    relationship.slot = slots.count
                    add(slotOf: relationship)
                }
                relationships.append(relationship)
                add(property.keyPath, .relationship(relationship))
            }
        }

        private mutating func add(
            _ keyPath: PropertyKeyPath, _ property: EntityDescription.Property
        ) {
            table.append(PropertyTable.Entry(keyPath: keyPath, property: property))
        }

        private mutating func add(_ attribute: AttributeDescription) {
            attributes.append(attribute)
            if attribute.isRequired {
                required.insert(attribute.slot)
                if !attribute.hasDefault { toSet.insert(attribute.slot) }
            }
            slots.append(
                SlotDescription(
                    name: attribute.name, storedName: attribute.storedName, type: attribute.type,
                    isOptional: attribute.isOptional, isUnique: attribute.isUnique,
                    index: attribute.options.index, relationship: nil,
                    valueType: attribute.valueType, accepts: attribute.accepts))
        }

        private mutating func add(slotOf relationship: RelationshipDescription) {
            if relationship.isRequired {
                required.insert(slots.count)
                toSet.insert(slots.count)
            }
            slots.append(
                SlotDescription(
                    name: relationship.name, storedName: relationship.storedName, type: .integer,
                    isOptional: true, isUnique: false, index: .binary,
                    relationship: relationship.index, valueType: nil, accepts: { _ in false }))
        }
    }
}
