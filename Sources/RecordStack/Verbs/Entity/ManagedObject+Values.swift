public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Returns the sum of a value over the objects that match a condition.
    ///
    /// ```swift
    /// let salaries = try Person.sum(of: \.salary, in: context) { $0.isActive }
    /// ```
    ///
    /// The sum ignores nil values, and is 0 if there are no other values.
    ///
    /// - Throws: Any error of ``ManagedObjectContext/sum(of:for:)``.
    public static func sum<Value: SummableValue>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>,
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value.Sum {
        try context.sum(of: value, for: request(filter, [], condition))
    }

    /// Returns the average of a value over the objects that match a condition.
    ///
    /// The average ignores nil values, and is nil if there are no other values.
    public static func average<Value: SummableValue>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>,
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Double? {
        try context.average(of: value, for: request(filter, [], condition))
    }

    /// Returns the smallest value of the objects that match a condition, or nil if there is none.
    public static func min<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>,
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try context.min(of: value, for: request(filter, [], condition))
    }

    /// Returns the smallest value of the objects that match a condition, or nil if there is none.
    public static func min<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value?>,
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try context.min(of: value, for: request(filter, [], condition))
    }

    /// Returns the largest value of the objects that match a condition, or nil if there is none.
    public static func max<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value>,
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try context.max(of: value, for: request(filter, [], condition))
    }

    /// Returns the largest value of the objects that match a condition, or nil if there is none.
    public static func max<Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Self>) -> FilterExpression<Value?>,
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Value? {
        try context.max(of: value, for: request(filter, [], condition))
    }

    /// Returns the number of distinct values among the objects that match a condition.
    ///
    /// The count ignores nil values.
    public static func count<Value: AttributeValue>(
        distinct value: (FilterProxy<Self>) -> FilterExpression<Value>,
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Int {
        try context.count(distinct: value, for: request(filter, [], condition))
    }
}

extension ManagedEntity where Self: ManagedObject {
    /// Returns one value of each object that matches a condition.
    ///
    /// ```swift
    /// let names = try Person.values(of: \.name, sortedBy: .ascending(\.name), in: context)
    /// let cities = try Person.values(of: \.city, distinct: true, in: context) { $0.isActive }
    /// ```
    ///
    /// The call creates no objects, unless the result depends on unsaved changes of the context. If
    /// a to-one relationship on the value's path is nil, the object has no value. For such an
    /// object, the result contains nil if the value's type is optional. Otherwise the result leaves
    /// the object out. The limit and the offset apply to objects, not to distinct values.
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

    /// Returns several values of each object that matches a condition.
    ///
    /// ```swift
    /// let rows = try Person.rows(of: { ($0.name, $0.age, $0.team.title.optional) }, in: context)
    /// for (name, age, team) in rows { print(name, age ?? 0, team ?? "-") }
    /// ```
    ///
    /// The call creates no objects, unless the result depends on unsaved changes of the context.
    ///
    /// - Throws: Any error of ``ManagedObjectContext/rows(of:for:)``.
    public static func rows<each Value: AttributeValue>(
        of values: (FilterProxy<Self>) -> (repeat FilterExpression<each Value>),
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        limit: Int? = nil, offset: Int = 0, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [(repeat each Value)] {
        try context.rows(
            of: values, for: request(filter, sortKeys, limit: limit, offset: offset, condition))
    }

    /// Returns the IDs of the objects that match a condition, without creating objects.
    public static func objectIDs(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        limit: Int? = nil, offset: Int = 0, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [ManagedObjectID] {
        try context.objectIDs(request(filter, sortKeys, limit: limit, offset: offset, condition))
    }
}
