import RecordStackGraph
import RecordStackModel

/// The key of an object that does not exist yet.
enum ForwardKey: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case value(StoredValue)
        /// The object to which a to-one relationship refers.
        case known(ManagedObjectID)
        /// The key of the object to which a to-one relationship refers, which may not exist either.
        indirect case object(ForwardKey)
    }

    case one(StoredValue)
    /// One part for each slot of the identity.
    case several([Part])

    /// The number of nested levels of keys that must be looked up before this one.
    var depth: Int {
        guard case .several(let parts) = self else { return 0 }
        return parts.reduce(0) { depth, part in
            if case .object(let key) = part { max(depth, key.depth + 1) } else { depth }
        }
    }
}

/// A reference to an object that does not exist yet, and that a later row may bring.
package struct ForwardReference: Sendable {
    /// The relationship, in one object, that the reference belongs to.
    package struct Location: Sendable, Hashable {
        let owner: ManagedObjectID
        /// The entity whose mapping has the relation, and below it the relation's index there.
        let entity: String
        let relation: Int
    }

    let location: Location
    let key: ForwardKey
    let row: Int
    let path: String
    /// True if the row itself has the key; false if a nested object has it.
    let isOfRow: Bool
    /// True to create an object from the key at the end, if no row has brought it.
    var makesObject = false
    /// The problems that kept the nested object from being created; empty for a bare key.
    var problems: [ImportProblem] = []
    /// True if the nested object has more values than its key, which are lost.
    var saysMore = false
    /// True if the report counts the row as unchanged.
    var isOfUnchanged = false
}

/// The lists of members in rows, for a relationship in which some members did not exist yet.
struct MemberOrder: Sendable {
    enum Member: Sendable, Hashable {
        case object(ManagedObjectID)
        case key(ForwardKey)
    }

    struct List: Sendable {
        let members: [Member]
        /// True if the list replaces the members before it.
        let replaces: Bool
    }

    let membersBefore: [ManagedObjectID]
    var lists: [List]

    /// Returns the order of the members if all that exist now had existed from the start.
    ///
    /// A member that is listed twice has the first position.
    func order(_ find: (ForwardKey) throws -> ManagedObjectID?) rethrows -> [ManagedObjectID] {
        var order = membersBefore
        for list in lists {
            if list.replaces { order = [] }
            var known = Set(order)
            for member in list.members {
                let id: ManagedObjectID? =
                    switch member {
                    case .object(let id): id
                    case .key(let key): try find(key)
                    }
                if let id, known.insert(id).inserted { order.append(id) }
            }
        }
        return order
    }

    /// The keys among the members.
    var keys: [ForwardKey] {
        lists.flatMap(\.members).compactMap { if case .key(let key) = $0 { key } else { nil } }
    }
}

/// The forward references that are still unresolved, in the order of their rows.
package struct ForwardReferences: Sendable {
    private(set) var references: [ForwardReference] = []
    /// The order of members, by the location of the references.
    private(set) var orders: [ForwardReference.Location: MemberOrder] = [:]

    package init() {}

    init(
        _ references: [ForwardReference], _ orders: [ForwardReference.Location: MemberOrder]
    ) {
        self.references = references
        for reference in references {
            if let order = orders[reference.location] { self.orders[reference.location] = order }
        }
    }

    package var locations: Set<ForwardReference.Location> { Set(references.map(\.location)) }

    /// Removes the references and orders of some locations.
    package mutating func remove(at locations: Set<ForwardReference.Location>) {
        if locations.isEmpty { return }
        references.removeAll { locations.contains($0.location) }
        for location in locations { orders[location] = nil }
    }

    /// Appends the references of later rows.
    package mutating func append(_ other: ForwardReferences) {
        references += other.references
        // The lists of one location are in the order of the rows, so the first
        // `membersBefore` counts.
        orders.merge(other.orders) { first, second in
            MemberOrder(
                membersBefore: first.membersBefore, lists: first.lists + second.lists)
        }
    }

    /// Returns the references in parts of at most `count`.
    package func parts(of count: Int) -> [ForwardReferences] {
        stride(from: 0, to: references.count, by: count).map {
            let part = references[$0..<min($0 + count, references.count)]
            return ForwardReferences(Array(part), orders)
        }
    }
}
