import RecordStackGraph
import RecordStackModel

/// The key of an object that does not exist yet.
enum ForwardKey: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case value(StoredValue)
        /// The object that a to-one relationship refers to.
        case known(ManagedObjectID)
        /// The key of the object that a to-one relationship refers to, which may not exist yet either.
        indirect case object(ForwardKey)
    }

    case one(StoredValue)
    /// A part for each slot of the identity.
    case several([Part])

    /// How many keys lie within one another before this one can be looked for.
    var depth: Int {
        guard case .several(let parts) = self else { return 0 }
        return parts.reduce(0) { depth, part in
            if case .object(let key) = part { max(depth, key.depth + 1) } else { depth }
        }
    }
}

/// A reference to an object that there is not yet: a later row may bring it.
package struct ForwardReference: Sendable {
    /// Where the object is to be related.
    package struct Location: Sendable, Hashable {
        let owner: ManagedObjectID
        /// The entity whose mapping has the relation, and the relation's index there.
        let entity: String
        let relation: Int
    }

    let location: Location
    let key: ForwardKey
    let row: Int
    let path: String
    /// Whether the row itself has the key, not an object that is nested in it.
    let isOfRow: Bool
    /// Whether an object is made of the key at the end, where no row has brought it.
    var makesObject = false
    /// Why the nested object that has the key was not made; none for a key alone.
    var problems: [ImportProblem] = []
    /// Whether a nested object says more than its key, which is lost.
    var saysMore = false
    /// Whether the row was counted as one that changes nothing.
    var isOfUnchanged = false
}

/// What rows have said of the order of members some of which were not there yet: each list, and the members before.
struct MemberOrder: Sendable {
    enum Member: Sendable, Hashable {
        case object(ManagedObjectID)
        case key(ForwardKey)
    }

    struct List: Sendable {
        let members: [Member]
        /// Whether the members before leave.
        let replaces: Bool
    }

    let membersBefore: [ManagedObjectID]
    var lists: [List]

    /// The order that the members have when all that is there by now has been there from the start. A member that comes twice
    /// stands where it came first.
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

/// References that nothing has fulfilled yet, in the order of their rows.
package struct ForwardReferences: Sendable {
    private(set) var references: [ForwardReference] = []
    /// The order of members, by the location of those that have any.
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

    /// Forgets what was said of some locations.
    package mutating func remove(at locations: Set<ForwardReference.Location>) {
        if locations.isEmpty { return }
        references.removeAll { locations.contains($0.location) }
        for location in locations { orders[location] = nil }
    }

    /// Adds the references of later rows.
    package mutating func append(_ other: ForwardReferences) {
        references += other.references
        // The lists of one location come one after another, and the first members before are the ones.
        orders.merge(other.orders) { first, second in
            MemberOrder(
                membersBefore: first.membersBefore, lists: first.lists + second.lists)
        }
    }

    /// Parts of so many references.
    package func parts(of count: Int) -> [ForwardReferences] {
        stride(from: 0, to: references.count, by: count).map {
            let part = references[$0..<min($0 + count, references.count)]
            return ForwardReferences(Array(part), orders)
        }
    }
}
