import RecordStackGraph
import RecordStackModel

/// Where an entity's properties are found in a JSON object: a tree of keys, made once for an import.
final class ImportMapping {
    let entity: EntityDescription
    let type: ManagedObject.Type
    let root = ImportNode(number: 0)
    private var nodeCount = 1
    // @exclusivity(unchecked): a mapping is written while it is made, and one import reads it afterwards.

    /// The attributes by slot; nil for a to-one relationship's slot, and for those that are not imported.
    @exclusivity(unchecked) private(set) var attributes: [Attribute?]
    /// Those that are imported.
    @exclusivity(unchecked) private(set) var imported: [Attribute] = []
    @exclusivity(unchecked) private(set) var relations: [Relation] = []
    /// The slot by which objects are known, where it is one.
    let identitySlot: Int?
    /// Why rows of the entity cannot be imported; it is told when there is one.
    let identityProblem: RecordStackError?
    /// The parts of an identity of several that a row need not have, with their defaults.
    @exclusivity(unchecked) private(set) var identityDefaults: [(Attribute, StoredValue)] = []
    /// The attributes that a new object has to be given.
    @exclusivity(unchecked) private(set) var needed: [Attribute] = []
    /// What is known beforehand of the values that objects take.
    @exclusivity(unchecked) private(set) var accepting = AttributeAssignment()
    let hooks: RowHooks
    /// Which of the entities that inherit from it a row is of; nil where all are of this one.
    private(set) var kinds: ImportKinds?
    /// The rows of the batch. Made when there is the first one.
    private(set) lazy var rows = StagedRows(self)
    /// The objects by their identity. Made when there is the first row.
    @exclusivity(unchecked) var objects: LookupTable?
    private let options: ImportOptions

    /// A mapping without relationships, whose destinations may refer back to it.
    /// - Throws: ``RecordStackError/Code/misuse`` for a key path or a date format that cannot be read.
    init(entity: EntityDescription, _ options: ImportOptions, _ hooks: ImportHooks) throws {
        self.entity = entity
        self.options = options
        // What is not an object of a context is in no model.
        type = entity.type as! ManagedObject.Type
        attributes = Array(repeating: nil, count: entity.slots.count)
        identityProblem = Self.identityProblem(of: entity)
        identitySlot = entity.identitySlots.count == 1 ? entity.identitySlots[0] : nil
        self.hooks = RowHooks(of: type, hooks)
        for description in entity.attributes {
            let declared = description.options.imports.declaration(in: options.profile)
            let isFound = declared.isImported != false
            // A key that is computed need not be in the source.
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

    /// - Parameter mapping: finds, or makes, the mapping of another entity.
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

    /// Whether to-one relationships are a part of what objects are known by.
    private(set) lazy var hasCompositeIdentity = entity.identitySlots.contains {
        entity.slots[$0].relationship != nil
    }
    @exclusivity(unchecked) var composite = CompositeIdentities()
    /// Whether the row of a new object does otherwise than that of one which is found.
    private(set) lazy var distinguishesNew =
        imported.contains { $0.rules.value != .set || $0.rules.absent != .leave }
        || relations.contains { $0.rules.value != .set || $0.rules.absent != .leave }
    /// The topmost entity that has the same identity.
    private(set) lazy var identityOwner: EntityDescription = {
        var owner = entity
        while let next = owner.superentity, next.identitySlots == entity.identitySlots {
            owner = next
        }
        return owner
    }()

    /// The attribute by which objects are known, where it is one, with how its keys are read.
    var identity: Attribute? { entity.identity.flatMap { attributes[$0.slot] } }

    /// Rows that are known by nothing would be made anew by each import, and the next save would refuse them. Of what
    /// they are known by no two may have the same: of two imports at once each would make its own.
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

/// Where an import meets entities whose objects are known by a to-one relationship, among other things.
struct CompositeIdentities {
    /// True if there are such entities in the import.
    var areAnyComposite = false
    /// True if there are such entities among those that rows refer to.
    var refersToComposite = false
    /// True if objects of such an entity are known by objects of the mapping's.
    var isPartOfComposite = false
    /// True if rows refer to others, or the rows of entities that inherit from the mapping's do.
    var hasReferences = false
}
