public import RecordStackGraph
public import RecordStackModel

// Verbs without a context, for main-actor code. They use the default context of the default stack.
// They do not compile in a save block, because a save block does not run on the main actor.
@MainActor
extension ManagedEntity where Self: ManagedObject {
    /// Returns the sum of a value over objects in the default context that match a condition.
    ///
    /// Works like ``sum(of:matching:in:where:)``, in the default context of
    /// ``ContextStack/default``.
    public static func sum<Value: SummableValue>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>, matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value.Sum {
        try sum(
            of: value, matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns the average of a value over objects in the default context that match a condition.
    ///
    /// Works like ``average(of:matching:in:where:)``, in the default context of
    /// ``ContextStack/default``.
    public static func average<Value: SummableValue>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>, matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Double? {
        try average(
            of: value, matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns the smallest value of the objects in the default context that match a condition.
    ///
    /// Works like `min(of:matching:in:where:)`, in the default context of
    /// ``ContextStack/default``.
    public static func min<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>, matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try min(
            of: value, matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns the smallest value of the objects in the default context that match a condition.
    ///
    /// Works like `min(of:matching:in:where:)`, in the default context of
    /// ``ContextStack/default``.
    public static func min<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value?>, matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try min(
            of: value, matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns the largest value of the objects in the default context that match a condition.
    ///
    /// Works like `max(of:matching:in:where:)`, in the default context of
    /// ``ContextStack/default``.
    public static func max<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>, matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try max(
            of: value, matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns the largest value of the objects in the default context that match a condition.
    ///
    /// Works like `max(of:matching:in:where:)`, in the default context of
    /// ``ContextStack/default``.
    public static func max<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value?>, matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try max(
            of: value, matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns the number of distinct values of the objects in the default context.
    ///
    /// Works like ``count(distinct:matching:in:where:)``, in the default context of
    /// ``ContextStack/default``.
    public static func count<Value: AttributeValue>(
        distinct value: (FilterProxy<Self>) -> FilterExpression<Value>,
        matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Int {
        try count(
            distinct: value, matching: filter, in: ContextStack.requireDefaultContext(),
            where: condition)
    }

    /// Returns one value of each object in the default context that matches a condition.
    ///
    /// Works like ``values(of:distinct:matching:sortedBy:limit:offset:in:where:)``, in the default
    /// context of ``ContextStack/default``.
    public static func values<Value: AttributeValue>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>, distinct: Bool = false,
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [], limit: Int? = nil,
        offset: Int = 0,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [Value] {
        try values(
            of: value, distinct: distinct, matching: filter, sortedBy: sortKeys, limit: limit,
            offset: offset, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns several values of each object in the default context that matches a condition.
    ///
    /// Works like ``rows(of:matching:sortedBy:limit:offset:in:where:)``, in the default context of
    /// ``ContextStack/default``.
    public static func rows<each Value: AttributeValue>(
        of values: (FilterProxy<Self>) -> (repeat FilterExpression<each Value>),
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [], limit: Int? = nil,
        offset: Int = 0,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [(repeat each Value)] {
        try rows(
            of: values, matching: filter, sortedBy: sortKeys, limit: limit, offset: offset,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns the IDs of the objects in the default context that match a condition.
    ///
    /// Works like ``objectIDs(matching:sortedBy:limit:offset:in:where:)``, in the default context
    /// of ``ContextStack/default``.
    public static func objectIDs(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [], limit: Int? = nil,
        offset: Int = 0,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [ManagedObjectID] {
        try objectIDs(
            matching: filter, sortedBy: sortKeys, limit: limit, offset: offset,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns values for each group of the objects in the default context that match a condition.
    ///
    /// Works like ``groups(by:matching:sortedBy:limit:offset:in:where:having:_:)``, in the default
    /// context of ``ContextStack/default``.
    public static func groups<each Key: AttributeValue, each Value: AttributeValue>(
        by keys: (FilterProxy<Self>) -> (repeat FilterExpression<each Key>),
        matching filter: Filter = .all, sortedBy sortKeys: [GroupSortKey<Self>] = [],
        limit: Int? = nil, offset: Int = 0,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all },
        having groupCondition: ((GroupProxy<Self>) -> Filter)? = nil,
        _ values: (GroupProxy<Self>, repeat FilterExpression<each Key>) -> (
            repeat FilterExpression<each Value>
        )
    ) throws -> [(repeat each Value)] {
        try groups(
            by: keys, matching: filter, sortedBy: sortKeys, limit: limit, offset: offset,
            in: ContextStack.requireDefaultContext(), where: condition, having: groupCondition,
            values)
    }
}
