/// A to-many relationship in a filter.
///
/// ```swift
/// Team.where { $0.members.any { $0.age > 60 } }
/// Team.where { $0.members.where { $0.age > 60 }.count >= 2 }
/// Team.where { $0.members.sum(\.salary) > 100_000 && !$0.members.isEmpty }
/// Person.where { person in person.team.members.all { $0.age <= person.age } }
/// ```
///
/// You can set conditions on the members and aggregate their values. A closure can also use the
/// parameters of the closures that enclose it. If a to-one relationship is nil, a to-many
/// relationship read through it has no members.
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

    /// Returns the relationship, restricted to the members that satisfy a condition.
    ///
    /// You can count these members, aggregate their values, or set further conditions on them.
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

    /// Matches objects with at least one member that satisfies the condition.
    ///
    /// An object without members does not match.
    public func any(@FilterBuilder _ condition: (FilterProxy<Element>) -> Filter) -> Filter {
        quantified(.any, Self.node(condition))
    }

    /// Matches objects for which all members satisfy the condition.
    ///
    /// An object without members matches, too.
    public func all(@FilterBuilder _ condition: (FilterProxy<Element>) -> Filter) -> Filter {
        quantified(.none, Self.node(condition).inverted)
    }

    /// Matches objects for which no member satisfies the condition.
    ///
    /// An object without members matches, too.
    public func none(@FilterBuilder _ condition: (FilterProxy<Element>) -> Filter) -> Filter {
        quantified(.none, Self.node(condition))
    }

    /// A filter for objects without members.
    public var isEmpty: Filter { quantified(.none, .constant(true)) }

    /// Matches objects that have the given object as a member.
    public func contains(_ object: Element) -> Filter { contains(object.objectID) }

    /// Matches objects that have the object with the given ID as a member.
    public func contains(_ id: ManagedObjectID) -> Filter { any { $0.objectID == id } }

    /// Matches objects that have the object of a relationship or closure parameter as a member.
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

    /// Returns the sum of the members' non-nil values, or 0 if there are no such values.
    public func sum<Value: SummableValue>(
        _ value: (FilterProxy<Element>) -> FilterExpression<Value>
    ) -> FilterExpression<Value.Sum> { aggregate(.sum, value) }

    /// Returns the average of the members' non-nil values, or nil if there are no such values.
    public func average<Value: SummableValue>(
        _ value: (FilterProxy<Element>) -> FilterExpression<Value>
    ) -> FilterExpression<Double?> { aggregate(.average, value) }

    /// Returns the least of the members' non-nil values, or nil if there are no such values.
    public func min<Value: AttributeValue>(
        _ value: (FilterProxy<Element>) -> FilterExpression<Value>
    ) -> FilterExpression<Value> { aggregate(.minimum, value) }

    /// Returns the greatest of the members' non-nil values, or nil if there are no such values.
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
