/// Relationships one after the other, in the closure that says what to load along with a request's objects.
///
/// ```swift
/// let people = try Person.find(prefetching: { $0.team.members; $0.tags }, in: context)
/// ```
@dynamicMemberLookup
public struct RelationshipPath<Entity: ManagedEntity>: Sendable, Hashable {
    package let prefetch: Prefetch

    /// The path without a step: the objects themselves.
    package init() {
        prefetch = Prefetch(steps: [])
    }

    private init(_ prefetch: Prefetch) {
        self.prefetch = prefetch
    }

    /// A to-one relationship.
    public subscript<Destination: ManagedEntity>(
        dynamicMember keyPath: KeyPath<Entity, Destination?>
    ) -> RelationshipPath<Destination> { RelationshipPath<Destination>(adding(keyPath)) }

    /// A to-many relationship.
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

/// What to load along with a request's objects: relationships one after the other.
///
/// The closures of ``FetchRequest/prefetching(_:)`` and of `find` make them.
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

/// Gathers the paths of a closure that says what to load along.
@resultBuilder
public enum PrefetchBuilder {
    /// A path.
    public static func buildExpression<Entity>(_ path: RelationshipPath<Entity>) -> [Prefetch] {
        [path.prefetch]
    }

    /// Several of them, made elsewhere.
    public static func buildExpression(_ prefetches: [Prefetch]) -> [Prefetch] { prefetches }

    /// All that are written one after the other.
    public static func buildBlock(_ parts: [Prefetch]...) -> [Prefetch] { parts.flatMap { $0 } }

    /// What an `if` without `else` says, or nothing.
    public static func buildOptional(_ part: [Prefetch]?) -> [Prefetch] { part ?? [] }
}

extension FetchRequest {
    /// The same objects, with the objects of these relationships loaded along with them.
    ///
    /// ```swift
    /// let request = Person.where { $0.age >= 18 }.prefetching { $0.team.members }
    /// ```
    ///
    /// It takes one or two statements for each step, however many objects there are. What was loaded along
    /// stays as long as the program holds one of the request's objects. Counts, values and snapshots load
    /// nothing along.
    public func prefetching(
        @PrefetchBuilder _ paths: (RelationshipPath<Entity>) -> [Prefetch]
    ) -> Self {
        var copy = self
        copy.prefetches += paths(RelationshipPath())
        return copy
    }
}
