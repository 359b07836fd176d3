public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Values of each group of objects, without making objects, in the order of the keys.
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
    /// - Parameters:
    ///   - keys: what all objects of a group have alike: one expression, or a tuple of some.
    ///   - filter: a condition on objects that was made before; where there is a closure as well, both must be true.
    ///   - sortKeys: what to sort the groups by; without, they come in the order of their keys.
    ///   - limit: how many groups at most.
    ///   - offset: how many to leave out at the beginning.
    ///   - context: where to look.
    ///   - condition: which objects; all without one.
    ///   - groupCondition: which groups; all without one.
    ///   - values: what is wanted of each group: one expression, or a tuple of some.
    /// - Throws: what ``ManagedObjectContext/groups(by:of:having:sortedBy:limit:offset:_:)`` throws, which takes a
    ///   request.
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
