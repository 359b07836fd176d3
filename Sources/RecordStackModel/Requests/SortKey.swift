/// A value to sort by, and the direction.
///
/// ```swift
/// let people = try Person.find(sortedBy: [.ascending(\.name), .descending(\.age)], in: context)
/// let others = try Person.find(
///     sortedBy: [.ascending { $0.team.title }, .ascending(\.name, .caseInsensitive, nulls: .last)],
///     in: context)
/// ```
///
/// Text sorts by its UTF-8 bytes, which is the order of the Unicode scalars, as ``TextOptions`` say, or in a
/// ``TextOrder``. Nil sorts before every value, and after all of them when descending, unless `nulls` says where. Objects that
/// are alike in all keys follow in the order of their IDs.
public struct SortKey<Entity: ManagedEntity>: Sendable, Hashable {
    package let term: SortTerm

    /// Smallest first.
    /// - Parameters:
    ///   - keyPath: an attribute.
    ///   - options: how texts are compared; without any, by bytes, for which an index serves.
    ///   - nulls: where objects without a value stand; first, if nothing is said.
    public static func ascending<Value: AttributeValue>(
        _ keyPath: KeyPath<Entity, Value>, _ options: TextOptions = [], nulls: NullOrder? = nil
    ) -> Self {
        SortKey(FilterProxy()[dynamicMember: keyPath], isAscending: true, options, nulls)
    }

    /// Largest first.
    /// - Parameters:
    ///   - keyPath: an attribute.
    ///   - options: how texts are compared; without any, by bytes, for which an index serves.
    ///   - nulls: where objects without a value stand; last, if nothing is said.
    public static func descending<Value: AttributeValue>(
        _ keyPath: KeyPath<Entity, Value>, _ options: TextOptions = [], nulls: NullOrder? = nil
    ) -> Self {
        SortKey(FilterProxy()[dynamicMember: keyPath], isAscending: false, options, nulls)
    }

    /// Smallest first, by a value that is read through relationships or made of others.
    ///
    /// ```swift
    /// Person.all.sorted(by: .ascending { $0.team.title })
    /// ```
    public static func ascending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: (FilterProxy<Entity>) -> FilterExpression<Value>
    ) -> Self { SortKey(value(FilterProxy()), isAscending: true, options, nulls) }

    /// Largest first, by a value that is read through relationships or made of others.
    ///
    /// ```swift
    /// Team.all.sorted(by: .descending { $0.members.count })
    /// ```
    public static func descending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: (FilterProxy<Entity>) -> FilterExpression<Value>
    ) -> Self { SortKey(value(FilterProxy()), isAscending: false, options, nulls) }

    /// Smallest first, in an order of texts that the program brings along.
    public static func ascending<Value: TextValue>(
        _ keyPath: KeyPath<Entity, Value>, order: TextOrder, nulls: NullOrder? = nil
    ) -> Self { .ascending(order: order, nulls: nulls) { $0[dynamicMember: keyPath] } }

    /// Largest first, in an order of texts that the program brings along.
    public static func descending<Value: TextValue>(
        _ keyPath: KeyPath<Entity, Value>, order: TextOrder, nulls: NullOrder? = nil
    ) -> Self { .descending(order: order, nulls: nulls) { $0[dynamicMember: keyPath] } }

    /// Smallest first, in an order of texts that the program brings along, by an attribute that is read
    /// through relationships.
    public static func ascending<Value: TextValue>(
        order: TextOrder, nulls: NullOrder? = nil,
        _ value: (FilterProxy<Entity>) -> FilterExpression<Value>
    ) -> Self { SortKey(value(FilterProxy()).ordered(by: order), isAscending: true, [], nulls) }

    /// Largest first, in an order of texts that the program brings along, by an attribute that is read
    /// through relationships.
    public static func descending<Value: TextValue>(
        order: TextOrder, nulls: NullOrder? = nil,
        _ value: (FilterProxy<Entity>) -> FilterExpression<Value>
    ) -> Self { SortKey(value(FilterProxy()).ordered(by: order), isAscending: false, [], nulls) }

    /// Smallest first, by a path.
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
    /// The same attribute, compared in another order.
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

/// Where objects without a value stand in an order.
public enum NullOrder: Sendable, Hashable {
    /// Before all others.
    case first
    /// Behind all others.
    case last
}

/// A sort key without its entity.
package struct SortTerm: Sendable, Hashable {
    package let operand: FilterOperand
    package let isAscending: Bool
    package let options: TextOptions
    package let nulls: NullOrder
    /// What is wrong with it; empty where nothing is.
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

    /// Where null stands if nothing is said, as in SQLite.
    package static func usualNulls(_ isAscending: Bool) -> NullOrder {
        isAscending ? .first : .last
    }

    /// How two objects with these values stand.
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
