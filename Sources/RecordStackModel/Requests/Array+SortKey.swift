/// An element of a list of sort keys; only ``SortKey`` conforms to it.
///
/// The protocol lets you pass a single key without brackets,
/// and lets the compiler name a wrong key path:
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

/// An element of a list of sort keys for groups; only ``GroupSortKey`` conforms to it.
///
/// The protocol has the same purpose as ``SortKeyProtocol``.
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
    /// Sorts by an attribute in ascending order, as a list of one ``SortKey``.
    ///
    /// ```swift
    /// let people = try Person.find(sortedBy: .ascending(\.name), in: context)
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: an attribute.
    ///   - options: the options for comparing texts. Without options, texts are compared by their
    ///     bytes, for which an index can be used.
    ///   - nulls: the position of objects without a value. By default they are first.
    public static func ascending<Value: AttributeValue>(
        _ keyPath: KeyPath<Element.Entity, Value>, _ options: TextOptions = [],
        nulls: NullOrder? = nil
    ) -> Self { [Element(.ascending(keyPath, options, nulls: nulls))] }

    /// Sorts by an attribute in descending order, as a list of one ``SortKey``.
    ///
    /// - Parameters:
    ///   - keyPath: an attribute.
    ///   - options: the options for comparing texts. Without options, texts are compared by their
    ///     bytes, for which an index can be used.
    ///   - nulls: the position of objects without a value. By default they are last.
    public static func descending<Value: AttributeValue>(
        _ keyPath: KeyPath<Element.Entity, Value>, _ options: TextOptions = [],
        nulls: NullOrder? = nil
    ) -> Self { [Element(.descending(keyPath, options, nulls: nulls))] }

    /// Sorts by the value of a closure in ascending order, as a list of one ``SortKey``.
    ///
    /// The closure can read attributes through relationships, and calculate with them.
    public static func ascending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: (FilterProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.ascending(options, nulls: nulls, value))] }

    /// Sorts by the value of a closure in descending order, as a list of one ``SortKey``.
    ///
    /// The closure can read attributes through relationships, and calculate with them.
    public static func descending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: (FilterProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.descending(options, nulls: nulls, value))] }

    /// Sorts by an attribute in ascending order, as a list of one ``SortKey``.
    ///
    /// Texts are in the order of a ``TextOrder`` that the program provides.
    public static func ascending<Value: TextValue>(
        _ keyPath: KeyPath<Element.Entity, Value>, order: TextOrder, nulls: NullOrder? = nil
    ) -> Self {
        [Element(.ascending(keyPath, order: order, nulls: nulls))]
    }

    /// Sorts by an attribute in descending order, as a list of one ``SortKey``.
    ///
    /// Texts are in the order of a ``TextOrder`` that the program provides.
    public static func descending<Value: TextValue>(
        _ keyPath: KeyPath<Element.Entity, Value>, order: TextOrder, nulls: NullOrder? = nil
    ) -> Self {
        [Element(.descending(keyPath, order: order, nulls: nulls))]
    }

    /// Sorts by the attribute of a closure in ascending order, as a list of one ``SortKey``.
    ///
    /// Texts are in the order of a ``TextOrder`` that the program provides. The closure can read
    /// the attribute through relationships.
    public static func ascending<Value: TextValue>(
        order: TextOrder, nulls: NullOrder? = nil,
        _ value: (FilterProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.ascending(order: order, nulls: nulls, value))] }

    /// Sorts by the attribute of a closure in descending order, as a list of one ``SortKey``.
    ///
    /// Texts are in the order of a ``TextOrder`` that the program provides. The closure can read
    /// the attribute through relationships.
    public static func descending<Value: TextValue>(
        order: TextOrder, nulls: NullOrder? = nil,
        _ value: (FilterProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.descending(order: order, nulls: nulls, value))] }
}

extension Array where Element: GroupSortKeyProtocol {
    /// Sorts by a value of a group in ascending order, as a list of one ``GroupSortKey``.
    public static func ascending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: @escaping (GroupProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.ascending(options, nulls: nulls, value))] }

    /// Sorts by a value of a group in descending order, as a list of one ``GroupSortKey``.
    public static func descending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: @escaping (GroupProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.descending(options, nulls: nulls, value))] }
}
