import RecordStackGraph
import RecordStackModel

/// The keys and values that an export writes for objects of an entity at one location of its tree.
final class ExportShape {
    enum Leaf {
        case attribute(ExportAttribute)
        case relation(Relation)
        /// The discriminator, whose value names the entity of the object.
        case kind(String)

        /// Whether the written value may itself contain the properties below it.
        fileprivate var holdsOthers: Bool {
            switch self {
            case .attribute(let attribute): attribute.writesContainers
            case .relation(let relation): relation.location != nil
            case .kind: false
            }
        }

        fileprivate var isRelation: Bool { if case .relation = self { true } else { false } }

        var name: String {
            switch self {
            case .attribute(let attribute): attribute.description.name
            case .relation(let relation): relation.description.name
            case .kind: "the discriminator"
            }
        }
    }

    struct Relation {
        let description: RelationshipDescription
        /// The location of the destination; nil if only its key is written.
        let location: ExportLocation?
        /// The location of the destination's key, if that key has several parts.
        ///
        /// Nil for a key of one value, and for a destination without an identity.
        let keyLocation: ExportLocation?
        /// Whether the export reached the object through the inverse of this relationship.
        ///
        /// An import relates the two objects anyway, because one is nested in the other.
        let isInverseOfArrival: Bool

        /// Whether the relationship can write objects of the destination.
        var canBeWritten: Bool {
            location != nil || keyLocation != nil || description.destination.identity != nil
        }
    }

    /// A key in a written object, with the value or the keys below it.
    final class Node {
        let key: String
        fileprivate(set) var leaf: Leaf?
        fileprivate(set) var children: [Node] = []

        init(_ key: String) { self.key = key }

        /// The values at the node and below it.
        fileprivate var leaves: [Leaf] { (leaf.map { [$0] } ?? []) + children.flatMap(\.leaves) }

        /// Returns the child with a key.
        func child(_ key: String) -> Node? { children.first { $0.key.hasSameBytes(as: key) } }

        /// The children by index, if all of their keys are indexes and they form an array.
        private(set) lazy var elements: [Int: Node]? = {
            let indexes = children.compactMap { ImportKeyPath.index($0.key) }
                .filter { (0..<1_000).contains($0) }
            guard !children.isEmpty, indexes.count == children.count else { return nil }
            return Dictionary(zip(indexes, children)) { first, _ in first }
        }()
    }

    let entity: EntityDescription
    let root = Node("")
    /// The properties to write.
    private(set) var properties: [Leaf] = []
    /// True if an import might read other values than were written: the text must be checked.
    private(set) var needsCheck = false

    /// Creates the shape of an entity at a location.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a key path or a date format
    ///   that is not valid.
    init(_ entity: EntityDescription, at location: ExportLocation) throws {
        self.entity = entity
        var fallbacks: [String] = []
        for attribute in entity.attributes where location.writes(attribute, of: entity) {
            let declared = attribute.options.imports.declaration(in: location.options.profile)
            if declared.isImported == false { continue }
            let leaf = try ExportAttribute(attribute, declared, entity: entity)
            if !leaf.comesBackPlainly { needsCheck = true }
            try add(.attribute(leaf), declared, attribute.name, location.options, &fallbacks)
        }
        for relationship in entity.relationships where location.writes(relationship, of: entity) {
            let declared = relationship.imports.declaration(in: location.options.profile)
            if declared.isImported == false { continue }
            let relation = try location.relation(relationship, of: entity)
            try add(.relation(relation), declared, relationship.name, location.options, &fallbacks)
        }
        try addKind(at: location)
        try checkNodes()
        if try fallbacks.contains(where: overlaps) { needsCheck = true }
    }

    /// Checks that values contain each other only where that is possible.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if a value would have to be inside a value that
    ///   is not an object.
    private func checkNodes() throws {
        func check(_ node: Node, _ path: [String]) throws {
            if let outer = node.leaf, !node.children.isEmpty {
                needsCheck = true
                if !outer.holdsOthers { throw within(node, outer, path) }
            }
            for child in node.children { try check(child, path + [child.key]) }
        }
        try check(root, [])
    }

    private func within(_ node: Node, _ outer: Leaf, _ path: [String]) -> RecordStackError {
        let inner = node.children.flatMap(\.leaves).map(\.name)
        return RecordStackError(
            .misuse,
            "\(inner.joined(separator: ", ")) of \(entity.name) would be written within "
                + "\(path.joined(separator: ".")), where \(outer.name) is written, which is not an object. "
                + "Leave one of them out with options.except, or declare another key for it"
                + (outer.isRelation ? ", or follow \(outer.name) with options.depth." : "."),
            entity: entity.name)
    }

    /// Adds a leaf under its first key.
    ///
    /// The first leaf at a location is written there; all leaves of that location share its value.
    private func add(
        _ leaf: Leaf, _ declared: ImportDeclaration, _ name: String, _ options: ExportOptions,
        _ fallbacks: inout [String]
    ) throws {
        let own = ImportKeyPath.escaped(options.keyStyle.key(of: name))
        let keys = declared.keys + (declared.keys.isEmpty || declared.hasOwnName ? [own] : [])
        properties.append(leaf)
        fallbacks += keys.dropFirst()
        try add(leaf, under: keys[0])
    }

    private func add(_ leaf: Leaf, under keyPath: String) throws {
        var node = root
        for step in try ImportKeyPath(keyPath, entity: entity).steps {
            if let known = node.child(step) {
                node = known
            } else {
                let made = Node(step)
                node.children.append(made)
                node = made
            }
        }
        if node.leaf == nil { node.leaf = leaf } else { needsCheck = true }
    }

    /// Whether an import that looks under a key path would find another written value.
    private func overlaps(_ keyPath: String) throws -> Bool {
        var node = root
        for step in try ImportKeyPath(keyPath, entity: entity).steps {
            guard let next = node.child(step) else { return node.leaf != nil }
            node = next
        }
        return true
    }

    /// Adds the discriminator if the entity has one.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if an import could not tell the entity
    ///   of the objects.
    private func addKind(at location: ExportLocation) throws {
        let expected = location.destination ?? entity
        let discriminator = (expected.type as? any Importable.Type)?.importDiscriminator
        let names = (discriminator?.entities ?? [:])
            .filter { $0.value.entityDescription.isSame(as: entity) }
        // If several values name the entity, the export always writes the same one.
        if let discriminator, let name = names.keys.min() {
            return try add(.kind(name), under: discriminator.keyPath)
        }
        if entity.isSame(as: expected) { return }
        throw RecordStackError(
            .misuse,
            "A \(entity.name) is written where an import makes objects of \(expected.name): nothing would say that it is "
                + "one. Name \(entity.name) in importDiscriminator of \(expected.name), or export it by itself.",
            entity: entity.name)
    }
}

extension ExportShape {
    /// The relationships that are written.
    var relations: [Relation] {
        var found: [Relation] = []
        func look(at node: Node) {
            if case .relation(let relation)? = node.leaf { found.append(relation) }
            node.children.forEach(look)
        }
        look(at: root)
        return found
    }
}
