/// The ID of an object in a filter.
public struct ObjectIDReference: Sendable {
    let path: FilterPath?
    let entity: EntityDescription
    let problem: String

    /// The object of the ID.
    public static func == (lhs: ObjectIDReference, rhs: ManagedObjectID) -> Filter {
        lhs.isIn(CollectionOfOne(rhs))
    }

    /// Every other object.
    public static func != (lhs: ObjectIDReference, rhs: ManagedObjectID) -> Filter { !(lhs == rhs) }

    /// The objects of some IDs.
    public func isIn(_ ids: some Sequence<ManagedObjectID>) -> Filter {
        Filter(path.map { .leading(to: Array(ids), at: $0, entity) } ?? .invalid(problem))
    }
}

extension RelationshipReference {
    /// Objects without, or with, another at the end of the relationship.
    public static func == (lhs: RelationshipReference, rhs: ManagedObjectID?) -> Filter {
        rhs.map { lhs.isIn(CollectionOfOne($0)) } ?? lhs.filter { .isNull(.path($0)) }
    }

    /// Objects that have another, or none, at the end of the relationship.
    public static func != (lhs: RelationshipReference, rhs: ManagedObjectID?) -> Filter {
        !(lhs == rhs)
    }

    /// Objects whose relationship leads to an object.
    public static func == (lhs: RelationshipReference, rhs: Destination) -> Filter {
        lhs == rhs.objectID
    }

    /// Objects whose relationship leads to another object, or to none.
    public static func != (lhs: RelationshipReference, rhs: Destination) -> Filter {
        lhs != rhs.objectID
    }

    /// Objects whose relationship leads to one of some.
    public func isIn(_ ids: some Sequence<ManagedObjectID>) -> Filter {
        let ids = Array(ids)
        return filter { .leading(to: ids, at: $0, Destination.entityDescription) }
    }

    /// Objects whose relationship leads to one of some.
    @_disfavoredOverload  // An empty literal is one of IDs.
    public func isIn(_ objects: some Sequence<Destination>) -> Filter {
        isIn(objects.map(\.objectID))
    }

    /// Objects whose relationship leads to the same object as another one, or as that to none.
    public static func == (
        lhs: RelationshipReference, rhs: RelationshipReference<Destination>
    ) -> Filter { lhs.comparison(.equal, rhs) }

    /// Objects whose relationship leads to another object than another one, or only one of both to none.
    public static func != (
        lhs: RelationshipReference, rhs: RelationshipReference<Destination>
    ) -> Filter { lhs.comparison(.notEqual, rhs) }

    private func comparison(
        _ comparison: Filter.Comparison, _ other: RelationshipReference<Destination>
    ) -> Filter {
        guard let path = other.path else { return Filter(.invalid(other.problem)) }
        return filter { .compare(.path($0), comparison, .path(path), []) }
    }

    private func filter(_ make: (FilterPath) -> Filter.Node) -> Filter {
        Filter(path.map(make) ?? .invalid(problem))
    }
}

extension Filter.Node {
    package static func leading(
        to ids: [ManagedObjectID], at path: FilterPath, _ entity: EntityDescription
    ) -> Self {
        let wanted = entity.root.name
        guard let stranger = ids.first(where: { $0.home.rootName != wanted }) else {
            return .leads(path, to: ids)
        }
        return .invalid(
            "A relationship to \(wanted) was compared with the ID \(stranger), which is of a "
                + "\(stranger.entityName).")
    }
}
