/// A to-many relationship in a filter: conditions on its members, and values of all of them.
///
/// ```swift
/// Team.where { $0.members.any { $0.age > 60 } }
/// Team.where { $0.members.where { $0.age > 60 }.count >= 2 }
/// Team.where { $0.members.sum(\.salary) > 100_000 && !$0.members.isEmpty }
/// Person.where { person in person.team.members.all { $0.age <= person.age } }
/// ```
///
/// A closure may use the objects of the closures around it. A relationship behind a to-one
/// relationship that is nil has no members.
public struct ToManyReference<Element: ManagedEntity>: Sendable {
    private let relation: FilterRelation?
    private let filter: Filter.Node?
    private let problem: String

    package init(relation: FilterRelation, filter: Filter.Node? = nil) {
        self.relation = relation
        self.filter = filter
        problem = ""
    }

    package init(problem: String) {
        relation = nil
        filter = nil
        self.problem = problem
    }

    /// Some of the members, to be counted, summed or asked further.
    public func `where`(
        @FilterBuilder _ condition: (FilterProxy<Element>) -> Filter
    ) -> Self {
        guard let relation else { return self }
        let added = Self.node(condition)
        return Self(relation: relation, filter: filter.map { .and($0, added) } ?? added)
    }

    private static func node(_ condition: (FilterProxy<Element>) -> Filter) -> Filter.Node {
        let token = ScopeToken()
        let filter = condition(FilterProxy(scope: token.scope))
        if let entity = filter.entity {
            return .invalid(
                "A condition on members has a filter in it that was made for \(entity.name) as a whole, of a format "
                    + "string or a predicate. Write it with the closure's own argument.")
        }
        return filter.node.closing(token)
    }

    // MARK: Conditions

    /// Whether the condition is true for at least one member. It is false where there is none.
    public func any(@FilterBuilder _ condition: (FilterProxy<Element>) -> Filter) -> Filter {
        quantified(.any, Self.node(condition))
    }

    /// Whether the condition is true for every member. It is true where there is none.
    public func all(@FilterBuilder _ condition: (FilterProxy<Element>) -> Filter) -> Filter {
        quantified(.none, Self.node(condition).inverted)
    }

    /// Whether the condition is true for no member. It is true where there is none.
    public func none(@FilterBuilder _ condition: (FilterProxy<Element>) -> Filter) -> Filter {
        quantified(.none, Self.node(condition))
    }

    /// Whether there is no member.
    public var isEmpty: Filter { quantified(.none, .constant(true)) }

    /// Whether an object is one of them.
    public func contains(_ object: Element) -> Filter { contains(object.objectID) }

    /// Whether the object of an ID is one of them.
    public func contains(_ id: ManagedObjectID) -> Filter { any { $0.objectID == id } }

    /// Whether another object of the filter is one of them.
    ///
    /// ```swift
    /// Team.where { $0.members.contains($0.captain) }
    /// ```
    public func contains(_ object: some ObjectReference) -> Filter {
        any { $0.objectID == object.objectID }
    }

    private func quantified(_ quantifier: Filter.Quantifier, _ node: Filter.Node) -> Filter {
        guard let relation else { return Filter(.invalid(problem)) }
        return Filter(.quantified(quantifier, relation, filter.map { .and($0, node) } ?? node))
    }

    // MARK: Values

    /// The number of members.
    public var count: FilterExpression<Int> {
        guard let relation else { return FilterExpression(problem: problem) }
        return FilterExpression(.aggregate(FilterAggregate(.count, relation, where: filter)))
    }

    /// The sum of a value of each member, nil left out; 0 where there is none.
    public func sum<Value: SummableValue>(
        _ value: (FilterProxy<Element>) -> FilterExpression<Value>
    ) -> FilterExpression<Value.Sum> { aggregate(.sum, value) }

    /// The average of a value of each member, nil left out; nil where there is none.
    public func average<Value: SummableValue>(
        _ value: (FilterProxy<Element>) -> FilterExpression<Value>
    ) -> FilterExpression<Double?> { aggregate(.average, value) }

    /// The least value of all members, nil left out; nil where there is none.
    public func min<Value: AttributeValue>(
        _ value: (FilterProxy<Element>) -> FilterExpression<Value>
    ) -> FilterExpression<Value> { aggregate(.minimum, value) }

    /// The greatest value of all members, nil left out; nil where there is none.
    public func max<Value: AttributeValue>(
        _ value: (FilterProxy<Element>) -> FilterExpression<Value>
    ) -> FilterExpression<Value> { aggregate(.maximum, value) }

    private func aggregate<Value: AttributeValue, Result: AttributeValue>(
        _ kind: FilterAggregate.Kind, _ value: (FilterProxy<Element>) -> FilterExpression<Value>
    ) -> FilterExpression<Result> {
        guard let relation else { return FilterExpression(problem: problem) }
        let token = ScopeToken()
        let expression = value(FilterProxy(scope: token.scope))
        guard let operand = expression.operand?.closing(token) else {
            return FilterExpression(problem: expression.problem)
        }
        return FilterExpression(
            .aggregate(FilterAggregate(kind, relation, of: operand, where: filter)))
    }
}
