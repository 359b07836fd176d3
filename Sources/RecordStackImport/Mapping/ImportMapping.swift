import RecordStackGraph
import RecordStackModel

/// Where an entity's properties are found in a JSON object: a tree of keys, made once for an import.
final class ImportMapping {
    struct Attribute {
        let description: AttributeDescription
        let conversion: ValueConversion
        let keys: [String]
        let rules: ImportRules

        /// Whether a value that was converted as it is stored can be one of the attribute's.
        func takes(_ value: StoredValue) -> Bool {
            !conversion.isByStorage || description.accepts(value)
        }

        /// What the attribute wants, for a message.
        var expectation: String {
            conversion.isByStorage ? Wording.article(description.typeName) : conversion.expectation
        }
    }

    struct Relation {
        let description: RelationshipDescription
        let keys: [String]
        let rules: ImportRules
        /// Where the properties of the destination are found. The importer holds on to all of its mappings.
        unowned let destination: ImportMapping
    }

    let entity: EntityDescription
    let type: ManagedObject.Type
    let root = ImportNode()
    /// The attributes by slot; nil for a to-one relationship's slot, and for those that are not imported.
    private(set) var attributes: [Attribute?]
    private(set) var relations: [Relation] = []
    /// Why rows of the entity cannot be imported; it is told when there is one.
    let identityProblem: RecordStackError?
    /// The attributes that a new object has to be given.
    private(set) var needed: [Attribute] = []

    /// A mapping without relationships, whose destinations may lead back to it.
    /// - Throws: ``RecordStackError/Code/misuse`` for a key path or a date format that cannot be read.
    init(entity: EntityDescription, _ options: ImportOptions) throws {
        self.entity = entity
        // What is not an object of a context is in no model.
        type = entity.type as! ManagedObject.Type
        attributes = Array(repeating: nil, count: entity.slots.count)
        identityProblem = Self.identityProblem(of: entity)
        for description in entity.attributes where description.options.imports.isImported {
            let declared = description.options.imports
            let keys = Self.keys(declared, name: description.name, options.keyStyle)
            let attribute = Attribute(
                description: description,
                conversion: try ValueConversion(of: description, entity: entity), keys: keys,
                rules: ImportRules(options).overridden(by: declared))
            attributes[description.slot] = attribute
            if !description.hasDefault { needed.append(attribute) }
            try wish(for: .slot(description.slot), under: keys)
        }
    }

    func addRelations(
        _ options: ImportOptions, _ mapping: (EntityDescription) throws -> ImportMapping
    ) throws {
        for description in entity.relationships where description.imports.isImported {
            let keys = Self.keys(
                description.imports, name: description.name, options.keyStyle)
            try wish(for: .relation(relations.count), under: keys)
            relations.append(
                Relation(
                    description: description, keys: keys,
                    rules: ImportRules(options).overridden(by: description.imports),
                    destination: try mapping(description.destination)))
        }
    }

    private static func keys(
        _ declared: ImportDeclaration, name: String, _ style: ImportKeyStyle
    ) -> [String] {
        let own = ImportKeyPath.escaped(style.key(of: name))
        if declared.keys.isEmpty { return [own] }
        return declared.hasOwnName ? declared.keys + [own] : declared.keys
    }

    private func wish(for property: ImportNode.Property, under keys: [String]) throws {
        for (priority, key) in keys.enumerated() {
            let steps = try ImportKeyPath(key, entity: entity).steps
            let node = steps.reduce(root) { $0.makeChild($1) }
            node.add(ImportNode.Wish(property: property, priority: priority))
        }
    }

    /// The attribute by which objects are known, with how its keys are read.
    var identity: Attribute? { entity.identity.flatMap { attributes[$0.slot] } }

    /// Rows that are known by nothing would be made anew by each import, and the next save would refuse them.
    private static func identityProblem(of entity: EntityDescription) -> RecordStackError? {
        let unique = entity.attributes.filter(\.isUnique).map(\.name)
        if unique.count < 2 || entity.identity != nil { return nil }
        return RecordStackError(
            .misuse,
            "\(entity.name) has several unique attributes: \(unique.joined(separator: ", ")). Name the "
                + "one that imported rows are known by, as in @Entity(identity: \\.\(unique[0])), or "
                + "by hand with identity: \\\(entity.name).\(unique[0]) in its description.",
            entity: entity.name)
    }
}
