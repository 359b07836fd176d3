public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Returns values for each group of the objects that match a condition.
    ///
    /// ```swift
    /// let rows = try Person.groups(
    ///     by: \.city, in: context, where: { $0.isActive }, having: { $0.count > 10 }
    /// ) { people, city in (city, people.count, people.average { $0.age }) }
    /// let largest = try Person.groups(
    ///     by: \.city, sortedBy: .descending { $0.count }, limit: 5, in: context
    /// ) { people, city in (city, people.count) }
    /// ```
    ///
    /// The call creates no objects, unless the result depends on unsaved changes of the context.
    ///
    /// - Parameters:
    ///   - keys: The values that all objects of a group have in common: one expression, or a tuple
    ///     of expressions.
    ///   - filter: A filter on objects that you built earlier. If you also pass a closure, objects
    ///     must match both.
    ///   - sortKeys: The sort order of the groups. By default, groups are sorted by their keys.
    ///   - limit: The maximum number of groups.
    ///   - offset: The number of groups to skip.
    ///   - context: The context of the objects.
    ///   - condition: The condition for objects. Without this condition, all objects match.
    ///   - groupCondition: The condition for groups. Without this condition, all groups match.
    ///   - values: The values to return for each group: one expression, or a tuple of expressions.
    /// - Throws: Any error of
    ///   ``ManagedObjectContext/groups(by:of:having:sortedBy:limit:offset:_:)``, the form that
    ///   takes a request.
    public static func groups<each Key: AttributeValue, each Value: AttributeValue>(
        by keys: (FilterProxy<Self>) -> (repeat FilterExpression<each Key>),
        matching filter: Filter = .all, sortedBy sortKeys: [GroupSortKey<Self>] = [],
        limit: Int? = nil, offset: Int = 0, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all },
        having groupCondition: ((GroupProxy<Self>) -> Filter)? = nil,
        _ values: (GroupProxy<Self>, repeat FilterExpression<each Key>) -> (
            repeat FilterExpression<each Value>
        )
    ) throws -> [(repeat each Value)] {
        try context.groups(
            by: keys, of: request(filter, [], condition), having: groupCondition,
            sortedBy: sortKeys,
            limit: limit, offset: offset, values)
    }
}
