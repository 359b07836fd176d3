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
        Filter(path.map { .referring(to: Array(ids), at: $0, entity) } ?? .invalid(problem))
    }

    /// Whether both are the ID of the same object, or neither is of any.
    public static func == (lhs: ObjectIDReference, rhs: ObjectIDReference) -> Filter {
        lhs.comparison(.equal, rhs)
    }

    /// Whether they are the IDs of different objects, or only one is of any.
    public static func != (lhs: ObjectIDReference, rhs: ObjectIDReference) -> Filter {
        lhs.comparison(.notEqual, rhs)
    }

    private func comparison(
        _ comparison: Filter.Comparison, _ other: ObjectIDReference
    ) -> Filter {
        guard let path else { return Filter(.invalid(problem)) }
        guard let second = other.path else { return Filter(.invalid(other.problem)) }
        guard entity.root.isSame(as: other.entity.root) else {
            return Filter(
                .invalid(
                    "An object of \(entity.name) was compared with one of \(other.entity.name), "
                        + "which is never the same."))
        }
        return Filter(.compare(.path(path), comparison, .path(second), []))
    }
}

/// An object in a filter's closure: what the filter is about, a member, or the end of a to-one relationship.
/// It is compared with others by identity.
///
/// ```swift
/// Person.where { $0 != ann && $0.team == ann.team }
/// Team.where { team in team.members.any { $0 == team.captain } }
/// Person.where { person in person.team.members.none { $0 != person && $0.age < person.age } }
/// ```
public protocol ObjectReference<Entity>: Sendable {
    /// What the object is.
    associatedtype Entity: ManagedEntity

    /// The object's ID, to be compared with others.
    var objectID: ObjectIDReference { get }
}

extension FilterProxy: ObjectReference {}

extension RelationshipReference: ObjectReference {
    /// What is at the other end.
    public typealias Entity = Destination
}

extension ObjectReference {
    /// Whether it is an object; with nil, whether a relationship is nil.
    @_disfavoredOverload  // nil alone is no ID.
    public static func == (lhs: Self, rhs: Entity?) -> Filter {
        if let rhs { return lhs.objectID == rhs.objectID }
        return Filter(
            lhs.objectID.path.map { .isNull(.path($0)) } ?? .invalid(lhs.objectID.problem))
    }

    /// Whether it is any other than an object; with nil, whether a relationship is not nil.
    @_disfavoredOverload  // nil alone is no ID.
    public static func != (lhs: Self, rhs: Entity?) -> Filter { !(lhs == rhs) }

    /// Whether both are the same object, or both relationships are nil.
    public static func == (lhs: Self, rhs: some ObjectReference) -> Filter {
        lhs.objectID == rhs.objectID
    }

    /// Whether they are different objects, or one is none.
    public static func != (lhs: Self, rhs: some ObjectReference) -> Filter {
        lhs.objectID != rhs.objectID
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

    /// Objects whose relationship refers to one of some objects.
    public func isIn(_ ids: some Sequence<ManagedObjectID>) -> Filter {
        let ids = Array(ids)
        return filter { .referring(to: ids, at: $0, Destination.entityDescription) }
    }

    /// Objects whose relationship refers to one of some objects.
    @_disfavoredOverload  // An empty literal is one of IDs.
    public func isIn(_ objects: some Sequence<Destination>) -> Filter {
        isIn(objects.map(\.objectID))
    }

    private func filter(_ make: (FilterPath) -> Filter.Node) -> Filter {
        Filter(path.map(make) ?? .invalid(problem))
    }
}

extension Filter.Node {
    package static func referring(
        to ids: [ManagedObjectID], at path: FilterPath, _ entity: EntityDescription
    ) -> Self {
        let wanted = entity.root.name
        guard let foreignID = ids.first(where: { $0.home.rootName != wanted }) else {
            return .refers(path, to: ids)
        }
        return .invalid(
            "A relationship to \(wanted) was compared with the ID \(foreignID), which is of a "
                + "\(foreignID.entityName).")
    }
}
