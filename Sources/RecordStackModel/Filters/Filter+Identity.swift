/// The ID of an object in a filter.
public struct ObjectIDReference: Sendable {
    let path: FilterPath?
    let entity: EntityDescription
    let problem: String

    /// Matches the object that has the ID on the right side.
    public static func == (lhs: ObjectIDReference, rhs: ManagedObjectID) -> Filter {
        lhs.isIn(CollectionOfOne(rhs))
    }

    /// Matches every object except the one that has the ID on the right side.
    public static func != (lhs: ObjectIDReference, rhs: ManagedObjectID) -> Filter { !(lhs == rhs) }

    /// Matches the objects that have one of the IDs.
    public func isIn(_ ids: some Sequence<ManagedObjectID>) -> Filter {
        Filter(path.map { .referring(to: Array(ids), at: $0, entity) } ?? .invalid(problem))
    }

    /// Matches if both IDs are equal, or both are nil.
    public static func == (lhs: ObjectIDReference, rhs: ObjectIDReference) -> Filter {
        lhs.comparison(.equal, rhs)
    }

    /// Matches if the IDs are different, or only one of them is nil.
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

/// An object in a filter's closure, for comparisons with other objects by ID.
///
/// The object is the one that the filter is about, a member of a to-many relationship, or the
/// object at the end of a to-one relationship.
///
/// ```swift
/// Person.where { $0 != ann && $0.team == ann.team }
/// Team.where { team in team.members.any { $0 == team.captain } }
/// Person.where { person in person.team.members.none { $0 != person && $0.age < person.age } }
/// ```
public protocol ObjectReference<Entity>: Sendable {
    /// The entity of the object.
    associatedtype Entity: ManagedEntity

    /// The object's ID, for comparisons with other IDs.
    var objectID: ObjectIDReference { get }
}

extension FilterProxy: ObjectReference {}

extension RelationshipReference: ObjectReference {
    /// The entity at the other end of the relationship.
    public typealias Entity = Destination
}

extension ObjectReference {
    /// Matches if the left side is the object on the right side.
    ///
    /// If the right side is nil, the filter matches a relationship that is nil.
    @_disfavoredOverload  // A nil literal prefers the overload for IDs.
    public static func == (lhs: Self, rhs: Entity?) -> Filter {
        if let rhs { return lhs.objectID == rhs.objectID }
        return Filter(
            lhs.objectID.path.map { .isNull(.path($0)) } ?? .invalid(lhs.objectID.problem))
    }

    /// Matches if the left side is not the object on the right side.
    ///
    /// If the right side is nil, the filter matches a relationship that is not nil.
    @_disfavoredOverload  // A nil literal prefers the overload for IDs.
    public static func != (lhs: Self, rhs: Entity?) -> Filter { !(lhs == rhs) }

    /// Matches if both sides are the same object, or both are nil.
    public static func == (lhs: Self, rhs: some ObjectReference) -> Filter {
        lhs.objectID == rhs.objectID
    }

    /// Matches if the sides are different objects, or only one of them is nil.
    public static func != (lhs: Self, rhs: some ObjectReference) -> Filter {
        lhs.objectID != rhs.objectID
    }
}

extension RelationshipReference {
    /// Matches if the relationship refers to the object with the ID.
    ///
    /// If the right side is nil, the filter matches a relationship that is nil.
    public static func == (lhs: RelationshipReference, rhs: ManagedObjectID?) -> Filter {
        rhs.map { lhs.isIn(CollectionOfOne($0)) } ?? lhs.filter { .isNull(.path($0)) }
    }

    /// Matches if the relationship does not refer to the object with the ID.
    ///
    /// If the right side is nil, the filter matches a relationship that is not nil.
    public static func != (lhs: RelationshipReference, rhs: ManagedObjectID?) -> Filter {
        !(lhs == rhs)
    }

    /// Matches if the relationship refers to an object with one of the IDs.
    public func isIn(_ ids: some Sequence<ManagedObjectID>) -> Filter {
        let ids = Array(ids)
        return filter { .referring(to: ids, at: $0, Destination.entityDescription) }
    }

    /// Matches if the relationship refers to one of the objects.
    @_disfavoredOverload  // An empty literal prefers the overload for IDs.
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
