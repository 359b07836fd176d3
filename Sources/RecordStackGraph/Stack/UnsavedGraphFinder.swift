import RecordStackModel

/// Finds the new objects of a context that are related to given objects, directly or indirectly.
struct UnsavedGraphFinder {
    private struct Node: Hashable {
        let hierarchy: Int
        let key: Int64
    }

    private let context: ManagedObjectContext
    private let model: ManagedObjectModel
    private var objects: [Node: ManagedObject] = [:]
    private var neighbours: [Node: [Node]] = [:]
    /// The objects found, the given ones first.
    private(set) var found: [ManagedObject] = []
    private var seen: Set<Node> = []

    init(_ roots: [ManagedObject], in context: ManagedObjectContext) {
        self.context = context
        model = context.coordinator.model
        for table in context.tables {
            for object in table.dirtyObjects where Self.isNew(object) {
                objects[Node(hierarchy: table.hierarchy, key: object.keyValue)] = object
            }
        }
        for (node, object) in objects { connect(node, object) }
        for joinTable in model.joinTables { connect(joinTable) }
        for root in roots { add(node(of: root)) }
        var next = 0
        while next < found.count {
            let node = node(of: found[next])
            // Sort by key, so that a graph always comes in the same order.
            for other in (neighbours[node] ?? []).sorted(by: { $0.key < $1.key }) { add(other) }
            next += 1
        }
    }

    static func isNew(_ object: ManagedObject) -> Bool {
        object.has(ObjectFlags.inserted) && !object.has(ObjectFlags.deleted)
    }

    private func node(of object: ManagedObject) -> Node {
        let entity = context.entityIndex(of: object)
        return Node(hierarchy: model.modelEntities[entity].hierarchy, key: object.keyValue)
    }

    private mutating func add(_ node: Node) {
        guard let object = objects[node], seen.insert(node).inserted else { return }
        found.append(object)
    }

    private mutating func connect(_ node: Node, _ object: ManagedObject) {
        for relationship in model.modelEntities[context.entityIndex(of: object)].relationships {
            guard let slot = relationship.slot else { continue }
            let other = Node(
                hierarchy: model.modelEntities[relationship.destination].hierarchy,
                key: object.storedKey(at: slot))
            connect(node, other)
        }
    }

    private mutating func connect(_ joinTable: JoinTable) {
        let hierarchies = [LinkEnd.first, .second].map {
            model.modelEntities[joinTable.end($0).entity].hierarchy
        }
        for (joinRow, edit) in context.joinRowEdits.links[joinTable.index].edits
        where edit.kind == .added {
            connect(
                Node(hierarchy: hierarchies[0], key: joinRow.first),
                Node(hierarchy: hierarchies[1], key: joinRow.second))
        }
    }

    private mutating func connect(_ one: Node, _ other: Node) {
        guard objects[one] != nil, objects[other] != nil else { return }
        neighbours[one, default: []].append(other)
        neighbours[other, default: []].append(one)
    }

    /// Whether the object with a key is among those found.
    func contains(_ key: Int64, hierarchy: Int) -> Bool {
        seen.contains(Node(hierarchy: hierarchy, key: key))
    }
}
