public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// The sum of a value of the objects for which a condition is true; 0 where there is none.
    ///
    /// ```swift
    /// let salaries = try Person.sum(of: \.salary, in: context) { $0.isActive }
    /// ```
    ///
    /// - Throws: what ``ManagedObjectContext/sum(of:for:)`` throws.
    public static func sum<Value: SummableValue>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>,
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value.Sum {
        try context.sum(of: value, for: request(filter, [], condition))
    }

    /// The average of a value of the objects for which a condition is true; nil where there is none.
    public static func average<Value: SummableValue>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>,
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Double? {
        try context.average(of: value, for: request(filter, [], condition))
    }

    /// The least value of the objects for which a condition is true; nil where there is none.
    public static func min<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>,
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try context.min(of: value, for: request(filter, [], condition))
    }

    /// The least value of the objects for which a condition is true; nil where there is none.
    public static func min<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value?>,
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try context.min(of: value, for: request(filter, [], condition))
    }

    /// The greatest value of the objects for which a condition is true; nil where there is none.
    public static func max<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>,
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try context.max(of: value, for: request(filter, [], condition))
    }

    /// The greatest value of the objects for which a condition is true; nil where there is none.
    public static func max<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value?>,
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try context.max(of: value, for: request(filter, [], condition))
    }

    /// How many different values the objects have for which a condition is true. Nil does not count.
    public static func count<Value: AttributeValue>(
        distinct value: (FilterProxy<Self>) -> FilterExpression<Value>,
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Int {
        try context.count(distinct: value, for: request(filter, [], condition))
    }
}

extension ManagedEntity where Self: ManagedObject {
    /// A value of each object for which a condition is true, without making objects.
    ///
    /// ```swift
    /// let names = try Person.values(of: \.name, sortedBy: .ascending(\.name), in: context)
    /// let cities = try Person.values(of: \.city, distinct: true, in: context) { $0.isActive }
    /// ```
    ///
    /// Objects without a value, because a to-one relationship on its path is nil, are left out where the value's type
    /// has no nil.
    /// The limit and the offset count objects, also where they have the same value.
    public static func values<Value: AttributeValue>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>, distinct: Bool = false,
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        limit: Int? = nil, offset: Int = 0, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [Value] {
        try context.values(
            of: value, distinct: distinct,
            for: request(filter, sortKeys, limit: limit, offset: offset, condition))
    }

    /// Several values of each object for which a condition is true, without making objects.
    ///
    /// ```swift
    /// let rows = try Person.rows(of: { ($0.name, $0.age, $0.team.title.optional) }, in: context)
    /// for (name, age, team) in rows { print(name, age ?? 0, team ?? "-") }
    /// ```
    ///
    /// - Throws: what ``ManagedObjectContext/rows(of:for:)`` throws.
    public static func rows<each Value: AttributeValue>(
        of values: (FilterProxy<Self>) -> (repeat FilterExpression<each Value>),
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        limit: Int? = nil, offset: Int = 0, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [(repeat each Value)] {
        try context.rows(
            of: values, for: request(filter, sortKeys, limit: limit, offset: offset, condition))
    }

    /// The IDs of the objects for which a condition is true, without making objects.
    public static func objectIDs(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        limit: Int? = nil, offset: Int = 0, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [ManagedObjectID] {
        try context.objectIDs(request(filter, sortKeys, limit: limit, offset: offset, condition))
    }
}
