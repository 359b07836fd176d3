/// What a list of sort keys consists of: ``SortKey``, and nothing else.
///
/// It is there so that one key needs no brackets, and that a wrong key path is told of by its name:
///
/// ```swift
/// let people = try Person.find(sortedBy: .ascending(\.name), in: context)
/// ```
public protocol SortKeyProtocol<Entity> {
    /// Whose objects are sorted.
    associatedtype Entity: ManagedEntity

    /// The key itself.
    init(_ key: SortKey<Entity>)
}

extension SortKey: SortKeyProtocol {
    /// The same key.
    public init(_ key: SortKey<Entity>) { self = key }
}

/// What a list of sort keys of groups consists of: ``GroupSortKey``, and nothing else. As of ``SortKeyProtocol``.
public protocol GroupSortKeyProtocol<Entity> {
    /// Whose objects are grouped.
    associatedtype Entity: ManagedEntity

    /// The key itself.
    init(_ key: GroupSortKey<Entity>)
}

extension GroupSortKey: GroupSortKeyProtocol {
    /// The same key.
    public init(_ key: GroupSortKey<Entity>) { self = key }
}

extension Array where Element: SortKeyProtocol {
    /// Smallest first, by an attribute: a list of one ``SortKey``.
    ///
    /// ```swift
    /// let people = try Person.find(sortedBy: .ascending(\.name), in: context)
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: an attribute.
    ///   - options: how texts are compared; without any, by bytes, for which an index serves.
    ///   - nulls: where objects without a value stand; first, if nothing is said.
    public static func ascending<Value: AttributeValue>(
        _ keyPath: KeyPath<Element.Entity, Value>, _ options: TextOptions = [],
        nulls: NullOrder? = nil
    ) -> Self { [Element(.ascending(keyPath, options, nulls: nulls))] }

    /// Largest first, by an attribute: a list of one ``SortKey``.
    /// - Parameters:
    ///   - keyPath: an attribute.
    ///   - options: how texts are compared; without any, by bytes, for which an index serves.
    ///   - nulls: where objects without a value stand; last, if nothing is said.
    public static func descending<Value: AttributeValue>(
        _ keyPath: KeyPath<Element.Entity, Value>, _ options: TextOptions = [],
        nulls: NullOrder? = nil
    ) -> Self { [Element(.descending(keyPath, options, nulls: nulls))] }

    /// Smallest first, by a value that is read through relationships or made of others: a list of one
    /// ``SortKey``.
    public static func ascending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: (FilterProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.ascending(options, nulls: nulls, value))] }

    /// Largest first, by a value that is read through relationships or made of others: a list of one
    /// ``SortKey``.
    public static func descending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: (FilterProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.descending(options, nulls: nulls, value))] }

    /// Smallest first, in an order of texts that the program brings along: a list of one ``SortKey``.
    public static func ascending<Value: TextValue>(
        _ keyPath: KeyPath<Element.Entity, Value>, order: TextOrder, nulls: NullOrder? = nil
    ) -> Self {
        [Element(.ascending(keyPath, order: order, nulls: nulls))]
    }

    /// Largest first, in an order of texts that the program brings along: a list of one ``SortKey``.
    public static func descending<Value: TextValue>(
        _ keyPath: KeyPath<Element.Entity, Value>, order: TextOrder, nulls: NullOrder? = nil
    ) -> Self {
        [Element(.descending(keyPath, order: order, nulls: nulls))]
    }

    /// Smallest first, in an order of texts that the program brings along, by an attribute that is read
    /// through relationships: a list of one ``SortKey``.
    public static func ascending<Value: TextValue>(
        order: TextOrder, nulls: NullOrder? = nil,
        _ value: (FilterProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.ascending(order: order, nulls: nulls, value))] }

    /// Largest first, in an order of texts that the program brings along, by an attribute that is read
    /// through relationships: a list of one ``SortKey``.
    public static func descending<Value: TextValue>(
        order: TextOrder, nulls: NullOrder? = nil,
        _ value: (FilterProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.descending(order: order, nulls: nulls, value))] }
}

extension Array where Element: GroupSortKeyProtocol {
    /// Smallest first, by a value of a group: a list of one ``GroupSortKey``.
    public static func ascending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: @escaping (GroupProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.ascending(options, nulls: nulls, value))] }

    /// Largest first, by a value of a group: a list of one ``GroupSortKey``.
    public static func descending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: @escaping (GroupProxy<Element.Entity>) -> FilterExpression<Value>
    ) -> Self { [Element(.descending(options, nulls: nulls, value))] }
}
