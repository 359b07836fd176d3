/// A path of relationships in the closure that selects what a request prefetches.
///
/// ```swift
/// let people = try Person.find(prefetching: { $0.team.members; $0.tags }, in: context)
/// ```
@dynamicMemberLookup
public struct RelationshipPath<Entity: ManagedEntity>: Sendable, Hashable {
    package let prefetch: Prefetch

    /// Creates a path without steps, for the objects themselves.
    package init() {
        prefetch = Prefetch(steps: [])
    }

    private init(_ prefetch: Prefetch) {
        self.prefetch = prefetch
    }

    /// Appends a to-one relationship to the path.
    public subscript<Destination: ManagedEntity>(
        dynamicMember keyPath: KeyPath<Entity, Destination?>
    ) -> RelationshipPath<Destination> { RelationshipPath<Destination>(adding(keyPath)) }

    /// Appends a to-many relationship to the path.
    public subscript<Many: ToManyRelationship>(
        dynamicMember keyPath: KeyPath<Entity, Many>
    ) -> RelationshipPath<Many.Element> { RelationshipPath<Many.Element>(adding(keyPath)) }

    private func adding(_ keyPath: PartialKeyPath<Entity>) -> Prefetch {
        if !prefetch.problem.isEmpty { return prefetch }
        let entity = Entity.entityDescription
        guard case .relationship(let relationship)? = entity.property(at: keyPath) else {
            return Prefetch(steps: [], problem: Self.unknown(entity))
        }
        let step = Prefetch.Step(owner: entity, relationship: relationship.index)
        return Prefetch(steps: prefetch.steps + [step])
    }

    private static func unknown(_ entity: EntityDescription) -> String {
        let names = entity.relationships.map(\.name).joined(separator: ", ")
        return "Only relationships of \(entity.name) that are declared with @Relationship can be "
            + "prefetched: \(names.isEmpty ? "it has none" : names)."
    }
}

/// A path of relationships whose objects a request loads together with its own objects.
///
/// The closures of ``FetchRequest/prefetching(_:)`` and of `find` create prefetches.
public struct Prefetch: Sendable, Hashable {
    package struct Step: Sendable, Hashable {
        package let owner: EntityDescription
        /// The relationship's index in its entity.
        package let relationship: Int

        package init(owner: EntityDescription, relationship: Int) {
            self.owner = owner
            self.relationship = relationship
        }

        package static func == (lhs: Step, rhs: Step) -> Bool {
            lhs.relationship == rhs.relationship && lhs.owner.isSame(as: rhs.owner)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(owner.typeIdentity)
            hasher.combine(relationship)
        }
    }

    package let steps: [Step]
    package let problem: String

    package init(steps: [Step], problem: String = "") {
        self.steps = steps
        self.problem = problem
    }
}

/// Collects the paths in a closure that selects what to prefetch.
@resultBuilder
public enum PrefetchBuilder {
    /// Returns the prefetch of a path.
    public static func buildExpression<Entity>(_ path: RelationshipPath<Entity>) -> [Prefetch] {
        [path.prefetch]
    }

    /// Returns prefetches that were created elsewhere.
    public static func buildExpression(_ prefetches: [Prefetch]) -> [Prefetch] { prefetches }

    /// Joins the prefetches of all lines.
    public static func buildBlock(_ parts: [Prefetch]...) -> [Prefetch] { parts.flatMap { $0 } }

    /// Returns the prefetches of an `if` without `else`, or no prefetches.
    public static func buildOptional(_ part: [Prefetch]?) -> [Prefetch] { part ?? [] }
}

extension FetchRequest {
    /// Loads the objects at the end of relationships together with the request's objects.
    ///
    /// ```swift
    /// let request = Person.where { $0.age >= 18 }.prefetching { $0.team.members }
    /// ```
    ///
    /// Each relationship of the path takes one or two statements, whatever the number of objects.
    /// The context keeps the prefetched objects of a request as long as you hold one of the
    /// request's own objects. It does this for the last 64 requests with prefetching. Requests for
    /// counts, values or snapshots do not prefetch.
    public func prefetching(
        @PrefetchBuilder _ paths: (RelationshipPath<Entity>) -> [Prefetch]
    ) -> Self {
        var copy = self
        copy.prefetches += paths(RelationshipPath())
        return copy
    }
}
