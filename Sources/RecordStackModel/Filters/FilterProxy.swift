/// A placeholder for an object in a filter's closure.
///
/// ```swift
/// Person.where { person in person.age >= 18 && person.team.title == "A" }
/// ```
///
/// You can use only properties that are declared with `@Attribute` or `@Relationship`. A request
/// whose filter uses any other property throws ``RecordStackError/Code/misuse``.
@dynamicMemberLookup
public struct FilterProxy<Entity: ManagedEntity>: Sendable {
    package let scope: FilterScope
    package let steps: [FilterPath.Step]
    package let problem: String
    /// The entity of the outermost object.
    private let root: EntityDescription?

    /// Creates a proxy for a request's object, with which you can write filters outside a closure.
    ///
    /// ```swift
    /// let person = FilterProxy<Person>()
    /// let isAdult = person.age >= 18
    /// ```
    public init() {
        self.init(scope: .root, root: Entity.entityDescription)
    }

    package init(
        scope: FilterScope = .root, steps: [FilterPath.Step] = [], root: EntityDescription? = nil,
        problem: String = ""
    ) {
        self.scope = scope
        self.steps = steps
        self.root = root
        self.problem = problem
    }

    /// An attribute of the object.
    public subscript<Value: AttributeValue>(
        dynamicMember keyPath: KeyPath<Entity, Value>
    ) -> FilterExpression<Value> {
        if !problem.isEmpty { return FilterExpression(problem: problem) }
        guard let attribute = Entity.entityDescription.attributeSlot(at: keyPath)
        else { return number(at: keyPath) }
        return FilterExpression(
            .path(
                FilterPath(
                    scope: scope, steps: steps, slot: attribute.slot,
                    collation: attribute.collation, root: root)))
    }

    /// Returns the number of a relationship's members, if the key path ends there.
    ///
    /// The compiler takes such a key path for an attribute.
    private func number<Value>(at keyPath: KeyPath<Entity, Value>) -> FilterExpression<Value> {
        guard let relationship = Entity.entityDescription.countedRelationship(at: keyPath) else {
            return FilterExpression(problem: unknownProperty(of: Entity.self))
        }
        return FilterExpression(.aggregate(FilterAggregate(.count, relation(relationship))))
    }

    private func relation(_ relationship: RelationshipDescription) -> FilterRelation {
        FilterRelation(
            scope: scope, steps: steps, owner: Entity.entityDescription,
            relationship: relationship.index, destination: relationship.destination, root: root)
    }

    /// A to-one relationship of the object.
    public subscript<Destination: ManagedEntity>(
        dynamicMember keyPath: KeyPath<Entity, Destination?>
    ) -> RelationshipReference<Destination> {
        if !problem.isEmpty { return RelationshipReference(problem: problem) }
        guard
            case .relationship(let relationship)? = Entity.entityDescription.property(at: keyPath),
            let slot = relationship.slot
        else { return RelationshipReference(problem: unknownProperty(of: Entity.self)) }
        if steps.count >= FilterPath.mostSteps {
            return RelationshipReference(problem: FilterPath.tooManySteps)
        }
        return RelationshipReference(scope: scope, steps: steps, slot: slot, root: root)
    }

    /// A to-many relationship of the object.
    public subscript<Many: ToManyRelationship>(
        dynamicMember keyPath: KeyPath<Entity, Many>
    ) -> ToManyReference<Many.Element> {
        if !problem.isEmpty { return ToManyReference(problem: problem) }
        guard
            case .relationship(let relationship)? = Entity.entityDescription.property(at: keyPath),
            relationship.isToMany
        else { return ToManyReference(problem: unknownProperty(of: Entity.self)) }
        return ToManyReference(relation: relation(relationship))
    }

    /// The object's ID, for comparisons with other IDs.
    ///
    /// ```swift
    /// Person.where { $0.objectID == ann.objectID || $0.objectID.isIn(others) }
    /// Team.where { team in
    ///     team.members.any { $0.objectID != team.captain.objectID && $0.age > 60 }
    /// }
    /// ```
    public var objectID: ObjectIDReference {
        ObjectIDReference(
            path: problem.isEmpty
                ? FilterPath(scope: scope, steps: steps, slot: FilterPath.keySlot, root: root)
                : nil,
            entity: Entity.entityDescription, problem: problem)
    }
}

/// A to-one relationship in a filter.
///
/// Use it to read the properties of the related object, or to compare the relationship with nil, an
/// object, or an object's ID.
///
/// ```swift
/// Person.where { $0.team.title == "A" || $0.team == nil || $0.team == best }
/// ```
@dynamicMemberLookup
public struct RelationshipReference<Destination: ManagedEntity>: Sendable {
    package let path: FilterPath?
    package let target: FilterProxy<Destination>
    package let problem: String

    package init(
        scope: FilterScope, steps: [FilterPath.Step], slot: Int, root: EntityDescription? = nil
    ) {
        path = FilterPath(scope: scope, steps: steps, slot: slot, root: root)
        let step = FilterPath.Step(slot: slot, destination: Destination.entityDescription)
        target = FilterProxy(scope: scope, steps: steps + [step], root: root)
        problem = ""
    }

    package init(problem: String) {
        path = nil
        target = FilterProxy(problem: problem)
        self.problem = problem
    }

    /// The ID of the related object, or null if the relationship is nil.
    public var objectID: ObjectIDReference {
        ObjectIDReference(path: path, entity: Destination.entityDescription, problem: problem)
    }

    /// An attribute of the related object, or null if the relationship is nil.
    public subscript<Value: AttributeValue>(
        dynamicMember keyPath: KeyPath<Destination, Value>
    ) -> FilterExpression<Value> { target[dynamicMember: keyPath] }

    /// A to-one relationship of the related object.
    public subscript<Next: ManagedEntity>(
        dynamicMember keyPath: KeyPath<Destination, Next?>
    ) -> RelationshipReference<Next> { target[dynamicMember: keyPath] }

    /// A to-many relationship of the related object.
    ///
    /// If there is no related object, the to-many relationship has no members.
    public subscript<Many: ToManyRelationship>(
        dynamicMember keyPath: KeyPath<Destination, Many>
    ) -> ToManyReference<Many.Element> { target[dynamicMember: keyPath] }
}

func unknownProperty(of entity: any ManagedEntity.Type) -> String {
    let description = entity.entityDescription
    let names = (description.attributes.map(\.name) + description.relationships.map(\.name))
        .joined(separator: ", ")
    return "A filter or sort order of \(description.name) names what is none of its properties, "
        + "which are \(names). What lies behind a relationship is named in a closure: "
        + ".ascending { $0.parent.name }."
}
