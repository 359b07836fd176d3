public import RecordStackGraph
public import RecordStackModel

// The same verbs without a context, for main-actor code: they use the default context of the
// default stack. In a save block they do not compile, because a block is not on the main actor.
@MainActor
extension ManagedEntity where Self: ManagedObject {
    /// ``sum(of:matching:in:where:)`` in the default context of ``ContextStack/default``.
    public static func sum<Value: SummableValue>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>, matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value.Sum {
        try sum(
            of: value, matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``average(of:matching:in:where:)`` in the default context of ``ContextStack/default``.
    public static func average<Value: SummableValue>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>, matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Double? {
        try average(
            of: value, matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``min(of:matching:in:where:)`` in the default context of ``ContextStack/default``.
    public static func min<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>, matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try min(
            of: value, matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``min(of:matching:in:where:)`` in the default context of ``ContextStack/default``.
    public static func min<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value?>, matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try min(
            of: value, matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``max(of:matching:in:where:)`` in the default context of ``ContextStack/default``.
    public static func max<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>, matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try max(
            of: value, matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``max(of:matching:in:where:)`` in the default context of ``ContextStack/default``.
    public static func max<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value?>, matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try max(
            of: value, matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``count(distinct:matching:in:where:)`` in the default context of ``ContextStack/default``.
    public static func count<Value: AttributeValue>(
        distinct value: (FilterProxy<Self>) -> FilterExpression<Value>,
        matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Int {
        try count(
            distinct: value, matching: filter, in: ContextStack.requireDefaultContext(),
            where: condition)
    }

    /// ``values(of:distinct:matching:sortedBy:limit:offset:in:where:)`` in the default context of ``ContextStack/default``.
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

    /// ``rows(of:matching:sortedBy:limit:offset:in:where:)`` in the default context of ``ContextStack/default``.
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

    /// ``objectIDs(matching:sortedBy:limit:offset:in:where:)`` in the default context of ``ContextStack/default``.
    public static func objectIDs(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [], limit: Int? = nil,
        offset: Int = 0,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [ManagedObjectID] {
        try objectIDs(
            matching: filter, sortedBy: sortKeys, limit: limit, offset: offset,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``groups(by:matching:sortedBy:limit:offset:in:where:having:_:)`` in the default context of ``ContextStack/default``.
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
