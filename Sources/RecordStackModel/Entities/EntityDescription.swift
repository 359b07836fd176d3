/// What an entity is called and which properties it has, inherited ones first.
///
/// There is one description for each class, made when it is first asked for.
public final class EntityDescription: Sendable {
    /// The class's name.
    public let name: String
    /// The table's name, which subentities share: the class's, unless another was declared.
    public let storedName: String
    /// The entity it inherits from.
    public let superentity: EntityDescription?
    /// Whether there are objects of the entities that inherit from it alone.
    public let isAbstract: Bool
    /// The attributes, inherited ones first, in the order of their declaration.
    public let attributes: [AttributeDescription]
    /// The relationships, inherited ones first, in the order of their declaration.
    public let relationships: [RelationshipDescription]
    /// The class's type, by which a model finds it.
    package let type: any ManagedEntity.Type
    /// The attribute that says which object a row of an import is: the one that was named, the
    /// superentity's, or the only unique one. Nil where several properties say it together.
    public let identity: AttributeDescription?
    /// The slots of the attributes and to-one relationships that say it, one or several; none where every row of an
    /// import is a new object.
    package let identitySlots: [Int]

    /// What was declared of properties that there are not.
    package let problems: [String]
    /// The slots whose values no two objects have alike, inherited ones first.
    package let uniqueGroups: [SlotGroup]
    /// The slots that an index has together, inherited ones first.
    package let indexGroups: [SlotGroup]
    package let slots: [SlotDescription]
    /// The slots that must have a value.
    package let requiredSlots: SlotSet
    /// Those of them that may turn out to be null all the same: a NaN, a missing reference, a
    /// value of a program's own type.
    package let slotsToCheck: [Int]
    /// Those of them that a program must set, because nothing was declared as their default.
    package let slotsToSet: SlotSet
    /// The attributes whose values keep rules besides being there.
    package let checkedAttributes: [AttributeDescription]
    private let properties: PropertyTable

    /// The property at a key path's end.
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

    /// A description, as the `@Entity` macro makes it.
    ///
    /// - Parameters:
    ///   - name: the entity's name.
    ///   - type: the class.
    ///   - superentity: the description of the superclass, unless that is `ManagedObject`.
    ///   - properties: all properties, inherited ones first.
    ///   - identity: the attributes and to-one relationships that say together which object an imported row is; by
    ///     default the superentity's, the only unique attribute, or else the only group of `.unique`.
    ///   - options: what was declared of the entity as a whole.
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

    /// What says which object a row is where nothing was declared of it.
    private static func identity(
        _ superentity: EntityDescription?, _ groups: [SlotGroup], _ slots: [SlotDescription]
    ) -> [Int] {
        if let superentity, !superentity.identitySlots.isEmpty { return superentity.identitySlots }
        let attributes = slots.indices.filter { slots[$0].isUnique }
        if !attributes.isEmpty { return attributes.count == 1 ? attributes : [] }
        return groups.count == 1 ? groups[0].slots : []
    }

    /// Whether no two objects have the same identity, as far as there is one.
    package var isIdentityUnique: Bool {
        identitySlots.isEmpty || identitySlots.contains { slots[$0].isUnique }
            || uniqueGroups.contains { Set($0.slots).isSubset(of: identitySlots) }
    }

    /// Descriptions of one class are one entity's, also where a class written by hand makes a new one
    /// each time that it is asked.
    package func isSame(as other: EntityDescription) -> Bool { type == other.type }

    package var typeIdentity: ObjectIdentifier { ObjectIdentifier(type) }

    /// The description of a superclass, for the descriptions of its subclasses.
    public static func superentity(_ type: any ManagedEntity.Type) -> EntityDescription {
        let description = type.entityDescription
        if description.type == type { return description }
        // The class inherits its description, so it has none of its own.
        return undeclared(type)
    }

    /// Returns the description of a class without `@Entity`. A model that has it throws an error that says so.
    package static func undeclared(_ type: any ManagedEntity.Type) -> EntityDescription {
        EntityDescription(
            name: "\(type)", type: type, properties: [],
            options: [
                EntityOption {
                    $0.problems.append("\(type) is no entity. Write @Entity before the class.")
                }
            ])
    }

    /// There for its message: the class is no entity.
    @available(
        *, unavailable,
        message:
            "An entity inherits from ManagedObject, or from a class that is marked with @Entity."
    )
    public static func superentity(_ type: Any.Type) -> EntityDescription {
        // Nobody can call what is not available.
        fatalError("not available")
    }

    /// The property that a key path of one step names, or nil where it names none.
    package func property(at keyPath: AnyKeyPath) -> Property? { properties[keyPath] }

    /// Returns the slot of the attribute that a key path of one step names, and how its values are ordered; nil
    /// if it names none. Costs less than the description.
    package func attributeSlot(at keyPath: AnyKeyPath) -> AttributeSlot? {
        properties.attributeSlot(at: keyPath)
    }

    /// The to-many relationship whose members a key path counts, as `\Team.members.count` does.
    package func countedRelationship(at keyPath: AnyKeyPath) -> RelationshipDescription? {
        properties.countedRelationship(at: keyPath)
    }

    /// The same for a key path of this entity or of one that it inherits from.
    package func anyProperty(at keyPath: AnyKeyPath) -> Property? {
        properties[keyPath] ?? superentity?.anyProperty(at: keyPath)
    }

    /// The key path of a property, in the entity that declares it.
    package func keyPath(ofPropertyNamed name: String) -> (any AnyKeyPath & Sendable)? {
        superentity?.keyPath(ofPropertyNamed: name) ?? properties.keyPath(named: name)
    }

    /// The attribute of a name.
    public func attribute(named name: String) -> AttributeDescription? {
        attributes.first { $0.name == name }
    }

    /// The relationship of a name.
    public func relationship(named name: String) -> RelationshipDescription? {
        relationships.first { $0.name == name }
    }

    /// The topmost entity it inherits from: the one whose table it shares.
    public var root: EntityDescription {
        var entity = self
        while let next = entity.superentity { entity = next }
        return entity
    }

    /// Whether it is the other entity or inherits from it.
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
    /// How the values are ordered.
    package let collation: Collation
}

/// A column of an entity's rows: an attribute, or the key of a to-one relationship.
package struct SlotDescription: Sendable {
    package let name: String
    package let storedName: String
    package let type: AttributeType
    package let isOptional: Bool
    package let isUnique: Bool
    /// How the index is sorted; nil for none.
    package let index: Collation?
    /// The relationship whose key it is.
    package let relationship: Int?
    /// The Swift type's name, for messages.
    package var typeName: String { valueType?.wrappedTypeName ?? "key" }
    /// The attribute's Swift type; nil for a relationship's key.
    fileprivate let valueType: (any AttributeValue.Type)?
    /// Whether a value can be one of the property's, where its kind alone does not say so.
    fileprivate let accepts: @Sendable (StoredValue) -> Bool
}

extension SlotDescription {
    /// Whether a value that was stored can be one of the property's.
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
    /// Whether the type alone makes sure that a value is stored as something.
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
