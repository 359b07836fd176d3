/// Stands for an object in a filter's closure: its properties read as references to columns.
///
/// ```swift
/// Person.where { person in person.age >= 18 && person.team.title == "A" }
/// ```
///
/// Only properties that are declared with `@Attribute` or `@Relationship` can be named; another
/// one makes a filter that throws ``RecordStackError/Code/misuse`` when it is used.
@dynamicMemberLookup
public struct FilterProxy<Entity: ManagedEntity>: Sendable {
    package let steps: [FilterPath.Step]

    package init(steps: [FilterPath.Step] = []) {
        self.steps = steps
    }

    /// An attribute of the object.
    public subscript<Value: AttributeValue>(
        dynamicMember keyPath: KeyPath<Entity, Value>
    ) -> AttributeReference<Value> {
        guard case .attribute(let attribute)? = Entity.entityDescription.property(at: keyPath)
        else { return AttributeReference(path: nil, problem: unknownProperty(of: Entity.self)) }
        return AttributeReference(
            path: FilterPath(
                steps: steps, slot: attribute.slot, collation: attribute.type.collation))
    }

    /// A to-one relationship of the object.
    public subscript<Destination: ManagedEntity>(
        dynamicMember keyPath: KeyPath<Entity, Destination?>
    ) -> RelationshipReference<Destination> {
        RelationshipReference(from: Entity.self, keyPath: keyPath, steps: steps)
    }
}

/// An attribute in a filter: what the comparison operators compare.
public struct AttributeReference<Value: AttributeValue>: Sendable {
    package let path: FilterPath?
    package let problem: String

    package init(path: FilterPath?, problem: String = "") {
        self.path = path
        self.problem = problem
    }

    package func filter(_ make: (FilterPath) -> Filter.Node) -> Filter {
        Filter(path.map(make) ?? .invalid(problem))
    }
}

/// A to-one relationship in a filter: a step to the object's attributes, or compared with nil or
/// with the ID of an object.
@dynamicMemberLookup
public struct RelationshipReference<Destination: ManagedEntity>: Sendable {
    package let path: FilterPath?
    package let steps: [FilterPath.Step]
    package let problem: String

    init<Source: ManagedEntity>(
        from source: Source.Type, keyPath: KeyPath<Source, Destination?>, steps: [FilterPath.Step]
    ) {
        guard
            case .relationship(let relationship)? = Source.entityDescription.property(at: keyPath),
            let slot = relationship.slot
        else {
            path = nil
            self.steps = steps
            problem = unknownProperty(of: Source.self)
            return
        }
        path = FilterPath(steps: steps, slot: slot)
        self.steps =
            steps + [FilterPath.Step(slot: slot, destination: Destination.entityDescription)]
        problem = ""
    }

    /// An attribute of the object at the other end; null where there is none.
    public subscript<Value: AttributeValue>(
        dynamicMember keyPath: KeyPath<Destination, Value>
    ) -> AttributeReference<Value> {
        path == nil
            ? AttributeReference(path: nil, problem: problem)
            : FilterProxy<Destination>(steps: steps)[dynamicMember: keyPath]
    }

    /// A to-one relationship of the object at the other end.
    public subscript<Next: ManagedEntity>(
        dynamicMember keyPath: KeyPath<Destination, Next?>
    ) -> RelationshipReference<Next> {
        FilterProxy<Destination>(steps: steps)[dynamicMember: keyPath]
    }

    package func filter(_ make: (FilterPath) -> Filter.Node) -> Filter {
        Filter(path.map(make) ?? .invalid(problem))
    }
}

func unknownProperty(of entity: any ManagedEntity.Type) -> String {
    let description = entity.entityDescription
    let names = (description.attributes.map(\.name) + description.relationships.map(\.name))
        .joined(separator: ", ")
    return "A filter or sort order of \(description.name) names a property that is not declared "
        + "with @Attribute or @Relationship. The declared ones are: \(names)."
}
