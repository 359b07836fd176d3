import RecordStackGraph
import RecordStackModel

/// What an export writes of the objects of an entity at one place of the tree that it writes.
final class ExportShape {
    enum Leaf {
        case attribute(ExportAttribute)
        case relation(Relation)
        /// The value that says which entity the object is of.
        case kind(String)

        /// Whether what stands below it is a part of what it writes.
        fileprivate var holdsOthers: Bool {
            switch self {
            case .attribute(let attribute): attribute.writesContainers
            case .relation(let relation): relation.place != nil
            case .kind: false
            }
        }

        fileprivate var isRelation: Bool { if case .relation = self { true } else { false } }

        fileprivate var name: String {
            switch self {
            case .attribute(let attribute): attribute.description.name
            case .relation(let relation): relation.description.name
            case .kind: "the discriminator"
            }
        }
    }

    struct Relation {
        let description: RelationshipDescription
        /// What is written of what it leads to; nil for its key alone.
        let place: ExportPlace?
    }

    /// A key of an object that is written, with what stands under it.
    final class Node {
        let key: String
        fileprivate(set) var leaf: Leaf?
        fileprivate(set) var children: [Node] = []

        init(_ key: String) { self.key = key }

        /// What is written at it and below.
        fileprivate var leaves: [Leaf] { (leaf.map { [$0] } ?? []) + children.flatMap(\.leaves) }

        /// The children by their indexes, where all of their keys are such: they are elements of an array.
        private(set) lazy var elements: [Int: Node]? = {
            let indexes = children.compactMap { Int($0.key) }.filter { (0..<1_000).contains($0) }
            guard !children.isEmpty, indexes.count == children.count else { return nil }
            return Dictionary(zip(indexes, children)) { first, _ in first }
        }()
    }

    let entity: EntityDescription
    let root = Node("")

    /// - Throws: ``RecordStackError/Code/misuse`` for a key path or a date format that cannot be read.
    init(_ entity: EntityDescription, at place: ExportPlace) throws {
        self.entity = entity
        let options = place.options
        for attribute in entity.attributes where place.selection.contains(attribute.name) {
            let declared = attribute.options.imports.declaration(in: options.profile)
            if declared.isImported == false { continue }
            let leaf = try ExportAttribute(attribute, declared, entity: entity)
            try add(.attribute(leaf), under: key(declared, attribute.name, options))
        }
        for relationship in entity.relationships where place.writes(relationship, of: entity) {
            let declared = relationship.imports.declaration(in: options.profile)
            if declared.isImported == false { continue }
            let next = try place.next(relationship, of: entity)
            if next == nil && relationship.destination.identity == nil { continue }
            try add(
                .relation(Relation(description: relationship, place: next)),
                under: key(declared, relationship.name, options))
        }
        try addKind()
        try checkNodes()
    }

    /// - Throws: misuse where something would have to stand within a value that is not an object.
    private func checkNodes() throws {
        func check(_ node: Node, _ path: [String]) throws {
            if let outer = node.leaf, !node.children.isEmpty, !outer.holdsOthers {
                let inner = node.children.flatMap(\.leaves).map(\.name)
                throw RecordStackError(
                    .misuse,
                    "\(inner.joined(separator: ", ")) of \(entity.name) would be written within "
                        + "\(path.joined(separator: ".")), where \(outer.name) is written, which is not an object. "
                        + "Leave one of them out with options.except, or declare another key for it"
                        + (outer.isRelation
                            ? ", or follow \(outer.name) with options.depth." : "."),
                    entity: entity.name)
            }
            for child in node.children { try check(child, path + [child.key]) }
        }
        try check(root, [])
    }

    private func key(
        _ declared: ImportDeclaration, _ name: String, _ options: ExportOptions
    ) -> String {
        declared.keys.first ?? ImportKeyPath.escaped(options.keyStyle.key(of: name))
    }

    /// The first that wants a place has it; the value there is one for all that share it.
    private func add(_ leaf: Leaf, under keyPath: String) throws {
        var node = root
        for step in try ImportKeyPath(keyPath, entity: entity).steps {
            if let known = node.children.first(where: { $0.key == step }) {
                node = known
            } else {
                let made = Node(step)
                node.children.append(made)
                node = made
            }
        }
        if node.leaf == nil { node.leaf = leaf }
    }

    private func addKind() throws {
        guard let type = entity.type as? any Importable.Type,
            let discriminator = type.importDiscriminator
        else { return }
        let names = discriminator.entities.filter { $0.value.entityDescription.isSame(as: entity) }
        // Several values may stand for an entity; the same one is written each time.
        guard let name = names.keys.min() else { return }
        try add(.kind(name), under: discriminator.keyPath)
    }
}

/// A place of the tree that an export writes.
final class ExportPlace {
    let options: ExportOptions
    let selection: ExportSelection
    private let depth: Int
    /// The relationship that led here; nil at the top.
    private let arrival: (relationship: RelationshipDescription, entity: EntityDescription)?
    private var shapes: [ObjectIdentifier: ExportShape] = [:]
    private var places: [String: ExportPlace] = [:]

    init(
        _ options: ExportOptions, _ selection: ExportSelection, depth: Int,
        arrival: (relationship: RelationshipDescription, entity: EntityDescription)? = nil
    ) {
        self.options = options
        self.selection = selection
        self.depth = depth
        self.arrival = arrival
    }

    /// What is written of objects of an entity.
    func shape(of entity: EntityDescription) throws -> ExportShape {
        if let known = shapes[entity.typeIdentity] { return known }
        let made = try ExportShape(entity, at: self)
        shapes[entity.typeIdentity] = made
        return made
    }

    /// Whether a relationship is written: the one that leads back to where the export comes from is known by that.
    func writes(_ relationship: RelationshipDescription, of entity: EntityDescription) -> Bool {
        if !selection.contains(relationship.name) { return false }
        guard let arrival, !relationship.isToMany else { return true }
        return !arrival.relationship.isInverse(
            of: relationship, owner: arrival.entity, other: entity)
    }

    /// Where a relationship leads; nil where keys alone are written.
    func next(
        _ relationship: RelationshipDescription, of entity: EntityDescription
    ) throws -> ExportPlace? {
        let isChosen = selection.isChosenInside(relationship.name)
        if depth == 0 && !isChosen { return nil }
        let key = "\(entity.name).\(relationship.name)"
        if let known = places[key] { return known }
        let made = ExportPlace(
            options, selection.inside(relationship.name), depth: max(0, depth - 1),
            arrival: (relationship, entity))
        places[key] = made
        return made
    }

    /// The relationships that are to be loaded for objects of an entity, one after the other: the nearest ones, and none
    /// behind itself. What is written of others is loaded object by object.
    func prefetches(of entity: EntityDescription) throws -> [Prefetch] {
        var paths: [Prefetch] = []
        var ends = [(place: self, entity: entity, steps: [Prefetch.Step]())]
        while !ends.isEmpty {
            let end = ends.removeFirst()
            for relation in try end.place.shape(of: end.entity).relations {
                let step = Prefetch.Step(
                    owner: end.entity, relationship: relation.description.index)
                if end.steps.contains(step) { continue }
                if paths.count == Self.mostPrefetches { return paths }
                paths.append(Prefetch(steps: end.steps + [step]))
                guard let place = relation.place else { continue }
                ends.append((place, relation.description.destination, end.steps + [step]))
            }
        }
        return paths
    }

    private static var mostPrefetches: Int { 64 }
}

extension ExportShape {
    /// The relationships that are written.
    fileprivate var relations: [Relation] {
        var found: [Relation] = []
        func look(at node: Node) {
            if case .relation(let relation)? = node.leaf { found.append(relation) }
            node.children.forEach(look)
        }
        look(at: root)
        return found
    }
}
