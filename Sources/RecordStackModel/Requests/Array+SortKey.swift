/// The protocol of the elements in a list of sort keys.
///
/// Only ``SortKey`` conforms to it. The protocol lets the compiler name a wrong key path in its
/// error. It also lets you pass a single key without brackets:
///
/// ```swift
/// let people = try Person.find(sortedBy: .ascending(\.name), in: context)
/// ```
public protocol SortKeyProtocol<Entity> {
    /// The entity whose objects are sorted.
    associatedtype Entity: ManagedEntity

    /// Creates an element from a sort key.
    init(_ key: SortKey<Entity>)
}

extension SortKey: SortKeyProtocol {
    /// Creates a copy of a sort key.
    public init(_ key: SortKey<Entity>) { self = key }
}

/// The protocol of the elements in a list of sort keys for groups.
///
/// Only ``GroupSortKey`` conforms to it. The protocol has the same purpose as ``SortKeyProtocol``.
public protocol GroupSortKeyProtocol<Entity> {
    /// The entity whose objects are grouped.
    associatedtype Entity: ManagedEntity

    /// Creates an element from a sort key.
    init(_ key: GroupSortKey<Entity>)
}

extension GroupSortKey: GroupSortKeyProtocol {
    /// Creates a copy of a sort key.
    public init(_ key: GroupSortKey<Entity>) { self = key }
}

extension Array where Element: SortKeyProtocol {
    /// Returns a list with one ascending key, which sorts by an attribute.
    ///
    /// ```swift
    /// let people = try Person.find(sortedBy: .ascending(\.name), in: context)
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: an attribute.
    ///   - options: the options for comparing strings. Without options, strings are compared by
    ///     their bytes, for which SQLite can use an index.
    ///   - nulls: the position of objects without a value, which is first by default.
    public static func ascending<Value: AttributeValue>(
        _ keyPath: KeyPath<Element.Entity, Value>, _ options: TextOptions = [],
        nulls: NullOrder? = nil
    ) -> Self { [Element(.ascending(keyPath, options, nulls: nulls))] }

    /// Returns a list with one descending key, which sorts by an attribute.
    ///
    /// - Parameters:
    ///   - keyPath: an attribute.
    ///   - options: the options for comparing strings. Without options, strings are compared by
    ///     their bytes, for which SQLite can use an index.
    ///   - nulls: the position of objects without a value, which is last by default.
    public static func descending<Value: AttributeValue>(
        _ keyPath: KeyPath<Element.Entity, Value>, _ options: TextOptions = [],
        nulls: NullOrder? = nil
    ) -> Self { [Element(.descending(keyPath, options, nulls: nulls))] }

    /// Returns a list with one ascending key, which sorts by the result of a closure.
    ///
    /// The closure can read attributes through relationships, and calculate with them.
    public static func ascending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: (FilterProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.ascending(options, nulls: nulls, value))] }

    /// Returns a list with one descending key, which sorts by the result of a closure.
    ///
    /// The closure can read attributes through relationships, and calculate with them.
    public static func descending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: (FilterProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.descending(options, nulls: nulls, value))] }

    /// Returns a list with one ascending key, which sorts by an attribute.
    ///
    /// The ``TextOrder`` that you pass compares the strings.
    public static func ascending<Value: TextValue>(
        _ keyPath: KeyPath<Element.Entity, Value>, order: TextOrder, nulls: NullOrder? = nil
    ) -> Self {
        [Element(.ascending(keyPath, order: order, nulls: nulls))]
    }

    /// Returns a list with one descending key, which sorts by an attribute.
    ///
    /// The ``TextOrder`` that you pass compares the strings.
    public static func descending<Value: TextValue>(
        _ keyPath: KeyPath<Element.Entity, Value>, order: TextOrder, nulls: NullOrder? = nil
    ) -> Self {
        [Element(.descending(keyPath, order: order, nulls: nulls))]
    }

    /// Returns a list with one ascending key, for the attribute that a closure returns.
    ///
    /// The ``TextOrder`` that you pass compares the strings. The closure can read the attribute
    /// through relationships.
    public static func ascending<Value: TextValue>(
        order: TextOrder, nulls: NullOrder? = nil,
        _ value: (FilterProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.ascending(order: order, nulls: nulls, value))] }

    /// Returns a list with one descending key, for the attribute that a closure returns.
    ///
    /// The ``TextOrder`` that you pass compares the strings. The closure can read the attribute
    /// through relationships.
    public static func descending<Value: TextValue>(
        order: TextOrder, nulls: NullOrder? = nil,
        _ value: (FilterProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.descending(order: order, nulls: nulls, value))] }
}

extension Array where Element: GroupSortKeyProtocol {
    /// Returns a list with one ascending key, which sorts by a value of a group.
    public static func ascending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: @escaping (GroupProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.ascending(options, nulls: nulls, value))] }

    /// Returns a list with one descending key, which sorts by a value of a group.
    public static func descending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: @escaping (GroupProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.descending(options, nulls: nulls, value))] }
}
