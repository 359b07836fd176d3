import RecordStackGraph
import RecordStackModel

/// The keys of an entity's properties in a JSON object: a tree of keys, built once for an import.
final class ImportMapping {
    let entity: EntityDescription
    let type: ManagedObject.Type
    let root = ImportNode(number: 0)
    private var nodeCount = 1
    // @exclusivity(unchecked): a mapping is written only while it is built, and one import reads
    // it afterwards.

    /// The attributes by slot; nil for slots of to-one relationships and attributes not imported.
    @exclusivity(unchecked) private(set) var attributes: [Attribute?]
    /// The imported attributes.
    @exclusivity(unchecked) private(set) var imported: [Attribute] = []
    @exclusivity(unchecked) private(set) var relations: [Relation] = []
    /// The slot of the identity, if it is a single slot.
    let identitySlot: Int?
    /// The reason why rows of the entity cannot be imported, thrown when there is such a row.
    let identityProblem: RecordStackError?
    /// The defaults for those parts of a combined identity that a row may lack.
    @exclusivity(unchecked) private(set) var identityDefaults: [(Attribute, StoredValue)] = []
    /// The attributes for which a new object must get a value.
    @exclusivity(unchecked) private(set) var needed: [Attribute] = []
    /// The precomputed selection of the values that objects take.
    @exclusivity(unchecked) private(set) var accepting = AttributeAssignment()
    let hooks: RowHooks
    /// The subentities to which a row may belong; nil if all rows belong to this entity.
    private(set) var kinds: ImportKinds?
    /// The rows of the batch, created with the first row.
    private(set) lazy var rows = StagedRows(self)
    /// The objects by their identity, created with the first row.
    @exclusivity(unchecked) var objects: LookupTable?
    private let options: ImportOptions

    /// Creates a mapping without relationships, because their destinations may refer back to it.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a key path or a date format
    ///   that is not valid.
    init(entity: EntityDescription, _ options: ImportOptions, _ hooks: ImportHooks) throws {
        self.entity = entity
        self.options = options
        // A model contains only entities whose types inherit from `ManagedObject`.
        type = entity.type as! ManagedObject.Type
        attributes = Array(repeating: nil, count: entity.slots.count)
        identityProblem = Self.identityProblem(of: entity)
        identitySlot = entity.identitySlots.count == 1 ? entity.identitySlots[0] : nil
        self.hooks = RowHooks(of: type, hooks)
        for description in entity.attributes {
            let declared = description.options.imports.declaration(in: options.profile)
            let isFound = declared.isImported != false
            // A hook that computes the identity does not need its key in the source.
            let isComputed =
                self.hooks.identity != nil && description.slot == entity.identity?.slot
            guard isFound || isComputed else { continue }
            let keys = Self.keys(declared, name: description.name, options.keyStyle)
            let attribute = try Attribute(
                description, declared, keys: keys, entity: entity, options,
                hooks.transforms(of: entity, slot: description.slot))
            attributes[description.slot] = attribute
            imported.append(attribute)
            if attribute.isNeeded { needed.append(attribute) }
            if !isFound { continue }
            try binding(
                for: .slot(description.slot), under: keys, isWhole: attribute.takesContainers)
        }
        if entity.identitySlots.count > 1 {
            identityDefaults = imported.compactMap { attribute in
                attribute.identityDefault.map { (attribute, $0) }
            }
        }
        accepting = AttributeAssignment(imported, needed: needed, slots: attributes.count)
    }

    /// Adds the relationships.
    ///
    /// - Parameter mapping: finds or creates the mapping of another entity.
    func addRelations(_ mapping: (EntityDescription) throws -> ImportMapping) throws {
        for description in entity.relationships {
            let declared = description.imports.declaration(in: options.profile)
            if declared.isImported == false { continue }
            let keys = Self.keys(declared, name: description.name, options.keyStyle)
            try binding(for: .relation(relations.count), under: keys, isWhole: true)
            relations.append(
                Relation(
                    description, of: entity, keys: keys,
                    rules: ImportRules(options).overridden(by: declared),
                    destination: try mapping(description.destination)))
        }
        if let discriminator = hooks.discriminator {
            kinds = try ImportKinds(discriminator, of: entity, mapping)
        }
    }

    private static func keys(
        _ declared: ImportDeclaration, name: String, _ style: ImportKeyStyle
    ) -> [String] {
        let own = ImportKeyPath.escaped(style.key(of: name))
        if declared.keys.isEmpty { return [own] }
        return declared.hasOwnName ? declared.keys + [own] : declared.keys
    }

    private func binding(
        for property: ImportNode.Property, under keys: [String], isWhole: Bool
    ) throws {
        for (priority, key) in keys.enumerated() {
            let steps = try ImportKeyPath(key, entity: entity).steps
            let node = steps.reduce(root) { $0.makeChild($1, &nodeCount) }
            node.add(ImportNode.Binding(property: property, priority: priority, isWhole: isWhole))
        }
    }

    /// True if to-one relationships are part of the identity.
    private(set) lazy var hasCompositeIdentity = entity.identitySlots.contains {
        entity.slots[$0].relationship != nil
    }
    @exclusivity(unchecked) var composite = CompositeIdentities()
    /// True if a row's effect on a new object differs from its effect on an existing one.
    private(set) lazy var distinguishesNew =
        imported.contains { $0.rules.value != .set || $0.rules.absent != .leave }
        || relations.contains { $0.rules.value != .set || $0.rules.absent != .leave }
    /// The topmost entity with the same identity.
    private(set) lazy var identityOwner: EntityDescription = {
        var owner = entity
        while let next = owner.superentity, next.identitySlots == entity.identitySlots {
            owner = next
        }
        return owner
    }()

    /// The attribute of the identity and its conversion, if the identity is a single attribute.
    var identity: Attribute? { entity.identity.flatMap { attributes[$0.slot] } }

    /// Returns the error for an entity whose identity is ambiguous or not unique.
    ///
    /// If no identity is chosen among several unique attributes, each import would create the
    /// objects again, and the next save would refuse them. If the identity is not unique, two
    /// imports at the same time could each create the same object.
    private static func identityProblem(of entity: EntityDescription) -> RecordStackError? {
        if !entity.isIdentityUnique {
            let slots = entity.identitySlots.map { "\\.\(entity.slots[$0].name)" }
            let names = slots.joined(separator: ", ")
            return RecordStackError(
                .misuse,
                "\(entity.name) is known by \(names), of which two objects may have the same. Say that they may not: "
                    + (slots.count == 1
                        ? "mark \(names.dropFirst(2)) .unique." : "@Entity(.unique(\(names)), …)."),
                entity: entity.name)
        }
        let unique = entity.attributes.filter(\.isUnique).map(\.name)
        if unique.count < 2 || !entity.identitySlots.isEmpty { return nil }
        return RecordStackError(
            .misuse,
            "\(entity.name) has several unique attributes: \(unique.joined(separator: ", ")). Name the "
                + "one that imported rows are known by, as in @Entity(identity: \\.\(unique[0])), or "
                + "by hand with identity: \\\(entity.name).\(unique[0]) in its description.",
            entity: entity.name)
    }
}

/// The facts about an import's composite identities, which include to-one relationships.
struct CompositeIdentities {
    /// True if any entity of the import has such an identity.
    var areAnyComposite = false
    /// True if rows may refer to an entity with such an identity.
    var refersToComposite = false
    /// True if objects of this mapping are part of such an identity.
    var isPartOfComposite = false
    /// True if any mapping of the import has relationships.
    var hasReferences = false
}
