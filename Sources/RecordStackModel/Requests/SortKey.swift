/// A value by which a request sorts, and the sort direction.
///
/// ```swift
/// let people = try Person.find(sortedBy: [.ascending(\.name), .descending(\.age)], in: context)
/// let others = try Person.find(
///     sortedBy: [.ascending { $0.team.title },
///         .ascending(\.name, .caseInsensitive, nulls: .last)],
///     in: context)
/// ```
///
/// By default, strings sort by their UTF-8 bytes, which is the order of their Unicode scalars.
/// ``TextOptions`` and ``TextOrder`` change this order. Nil is first in ascending order and last in
/// descending order, unless you pass `nulls`. If objects are equal in all keys, they are sorted by
/// ID.
public struct SortKey<Entity: ManagedEntity>: Sendable, Hashable {
    package let term: SortTerm

    /// Sorts by an attribute in ascending order.
    ///
    /// - Parameters:
    ///   - keyPath: an attribute.
    ///   - options: the options for comparing strings. Without options, strings are compared by
    ///     their bytes, for which SQLite can use an index.
    ///   - nulls: the position of objects without a value, which is first by default.
    public static func ascending<Value: AttributeValue>(
        _ keyPath: KeyPath<Entity, Value>, _ options: TextOptions = [], nulls: NullOrder? = nil
    ) -> Self {
        SortKey(FilterProxy()[dynamicMember: keyPath], isAscending: true, options, nulls)
    }

    /// Sorts by an attribute in descending order.
    ///
    /// - Parameters:
    ///   - keyPath: an attribute.
    ///   - options: the options for comparing strings. Without options, strings are compared by
    ///     their bytes, for which SQLite can use an index.
    ///   - nulls: the position of objects without a value, which is last by default.
    public static func descending<Value: AttributeValue>(
        _ keyPath: KeyPath<Entity, Value>, _ options: TextOptions = [], nulls: NullOrder? = nil
    ) -> Self {
        SortKey(FilterProxy()[dynamicMember: keyPath], isAscending: false, options, nulls)
    }

    /// Sorts by the result of a closure in ascending order.
    ///
    /// The closure can read attributes through relationships, and calculate with them.
    ///
    /// ```swift
    /// Person.all.sorted(by: .ascending { $0.team.title })
    /// ```
    public static func ascending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: (FilterProxy<Entity>) -> FilterExpression<Value>
    ) -> Self { SortKey(value(FilterProxy()), isAscending: true, options, nulls) }

    /// Sorts by the result of a closure in descending order.
    ///
    /// The closure can read attributes through relationships, and calculate with them.
    ///
    /// ```swift
    /// Team.all.sorted(by: .descending { $0.members.count })
    /// ```
    public static func descending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: (FilterProxy<Entity>) -> FilterExpression<Value>
    ) -> Self { SortKey(value(FilterProxy()), isAscending: false, options, nulls) }

    /// Sorts by an attribute in ascending order, with a ``TextOrder`` that compares the strings.
    public static func ascending<Value: TextValue>(
        _ keyPath: KeyPath<Entity, Value>, order: TextOrder, nulls: NullOrder? = nil
    ) -> Self { .ascending(order: order, nulls: nulls) { $0[dynamicMember: keyPath] } }

    /// Sorts by an attribute in descending order, with a ``TextOrder`` that compares the strings.
    public static func descending<Value: TextValue>(
        _ keyPath: KeyPath<Entity, Value>, order: TextOrder, nulls: NullOrder? = nil
    ) -> Self { .descending(order: order, nulls: nulls) { $0[dynamicMember: keyPath] } }

    /// Sorts in ascending order by the attribute that a closure returns.
    ///
    /// The ``TextOrder`` that you pass compares the strings. The closure can read the attribute
    /// through relationships.
    public static func ascending<Value: TextValue>(
        order: TextOrder, nulls: NullOrder? = nil,
        _ value: (FilterProxy<Entity>) -> FilterExpression<Value>
    ) -> Self { SortKey(value(FilterProxy()).ordered(by: order), isAscending: true, [], nulls) }

    /// Sorts in descending order by the attribute that a closure returns.
    ///
    /// The ``TextOrder`` that you pass compares the strings. The closure can read the attribute
    /// through relationships.
    public static func descending<Value: TextValue>(
        order: TextOrder, nulls: NullOrder? = nil,
        _ value: (FilterProxy<Entity>) -> FilterExpression<Value>
    ) -> Self { SortKey(value(FilterProxy()).ordered(by: order), isAscending: false, [], nulls) }

    /// Creates an ascending sort key for a path.
    package init(path: FilterPath) { term = SortTerm(.path(path), isAscending: true) }

    private init<Value>(
        _ value: FilterExpression<Value>, isAscending: Bool, _ options: TextOptions,
        _ nulls: NullOrder?
    ) {
        term = SortTerm(
            value.operand ?? .value(.null), isAscending: isAscending, options: options,
            nulls: nulls, problem: value.problem)
    }
}

extension FilterExpression {
    /// Returns the attribute, compared in a text order.
    fileprivate func ordered(by order: TextOrder) -> FilterExpression {
        guard problem.isEmpty, let operand else { return self }
        guard case .path(let path) = operand else {
            return FilterExpression(
                problem:
                    "Only attributes are sorted in an order of one's own, not what is made of them. Sort "
                    + "by the attribute, or without “order:”.")
        }
        return FilterExpression(.path(path.ordered(by: order)))
    }
}

/// The position of objects without a value in a sorted result.
public enum NullOrder: Sendable, Hashable {
    /// Before all objects with a value.
    case first
    /// After all objects with a value.
    case last
}

/// A sort key without its entity.
package struct SortTerm: Sendable, Hashable {
    package let operand: FilterOperand
    package let isAscending: Bool
    package let options: TextOptions
    package let nulls: NullOrder
    /// The reason why the term cannot be used; empty if it can be used.
    package let problem: String

    package init(
        _ operand: FilterOperand, isAscending: Bool, options: TextOptions = [],
        nulls: NullOrder? = nil, problem: String = ""
    ) {
        self.operand = operand
        self.isAscending = isAscending
        self.options = options
        self.nulls = nulls ?? Self.usualNulls(isAscending)
        self.problem = problem
    }

    /// Returns the default position of null, which is the same as in SQLite.
    package static func usualNulls(_ isAscending: Bool) -> NullOrder {
        isAscending ? .first : .last
    }

    /// Returns the order of two objects with these values.
    package func order(_ a: StoredValue, _ b: StoredValue) -> Order {
        switch (a.isNull, b.isNull) {
        case (true, true): return .same
        case (true, false): return nulls == .first ? .before : .after
        case (false, true): return nulls == .first ? .after : .before
        case (false, false):
            let order = a.compare(to: b, options, operand.collation)
            return isAscending ? order : order.reversed
        }
    }
}
