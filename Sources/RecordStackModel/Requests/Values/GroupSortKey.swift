/// A value of a group by which groups are sorted, and the sort direction.
///
/// ```swift
/// let largest = try Person.groups(
///     by: \.city, sortedBy: [.descending { $0.count }, .ascending { $0.min { $0.age } }],
///     limit: 5, in: context
/// ) { people, city in (city, people.count) }
/// ```
///
/// A key can use the same values as a `having:` closure: the count and other aggregates of the
/// group's objects, and calculations with them. As in a ``SortKey``, nil is first in ascending
/// order and last in descending order, unless you pass `nulls`. If groups are equal in all keys,
/// they are sorted by the values that they are grouped by.
public struct GroupSortKey<Entity: ManagedEntity> {
    private let make: (GroupProxy<Entity>) -> SortTerm

    /// Sorts groups by a value in ascending order.
    ///
    /// - Parameters:
    ///   - options: the options for comparing strings. Without options, strings are compared by
    ///     their bytes.
    ///   - nulls: the position of groups without a value, which is first by default.
    ///   - value: a value of the group.
    public static func ascending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: @escaping (GroupProxy<Entity>) -> FilterExpression<Value>
    ) -> Self { GroupSortKey(isAscending: true, options, nulls, value) }

    /// Sorts groups by a value in descending order.
    ///
    /// - Parameters:
    ///   - options: the options for comparing strings. Without options, strings are compared by
    ///     their bytes.
    ///   - nulls: the position of groups without a value, which is last by default.
    ///   - value: a value of the group.
    public static func descending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: @escaping (GroupProxy<Entity>) -> FilterExpression<Value>
    ) -> Self { GroupSortKey(isAscending: false, options, nulls, value) }

    private init<Value>(
        isAscending: Bool, _ options: TextOptions, _ nulls: NullOrder?,
        _ value: @escaping (GroupProxy<Entity>) -> FilterExpression<Value>
    ) {
        make = { group in
            let value = value(group)
            return SortTerm(
                value.operand ?? .value(.null), isAscending: isAscending, options: options,
                nulls: nulls, problem: value.problem)
        }
    }

    /// Returns the sort term, which refers to the columns of a group's row.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the value cannot be used.
    package func term(of group: GroupProxy<Entity>) throws -> SortTerm {
        let term = make(group)
        if !term.problem.isEmpty { throw RecordStackError(.misuse, term.problem) }
        return term
    }
}

/// The groups to return and their order.
///
/// The selection happens in memory, on the rows that a store has returned for all groups.
package struct GroupWindow {
    private let filter: Filter.Node?
    private let terms: [SortTerm]
    private let limit: Int?
    private let offset: Int

    package init(filter: Filter.Node?, terms: [SortTerm], limit: Int?, offset: Int) throws {
        if (limit ?? 0) < 0 || offset < 0 {
            throw RecordStackError(
                .misuse, "The limit and the offset of groups cannot be negative.")
        }
        self.filter = filter
        self.terms = terms
        self.limit = limit
        self.offset = offset
    }

    /// Returns the wanted groups in their order.
    ///
    /// - Parameter rows: the rows of all groups, in the order of their keys.
    package func groups(of rows: [[StoredValue]]) throws -> ArraySlice<GroupRow> {
        var groups = rows.map { GroupRow($0) }
        if let filter { groups = try groups.filter { try filter.isTrue(for: $0) } }
        if !terms.isEmpty { groups = try sorted(groups) }
        let rest = groups.dropFirst(offset)
        return limit.map { rest.prefix($0) } ?? rest
    }

    private func sorted(_ groups: [GroupRow]) throws -> [GroupRow] {
        let keyed = try groups.enumerated().map { index, group in
            (index, group, values: try terms.map { try $0.operand.value(for: group) })
        }
        return keyed.sorted { a, b in
            for (index, term) in terms.enumerated() {
                let order = term.order(a.values[index], b.values[index])
                if order != .same { return order == .before }
            }
            return a.0 < b.0
        }.map(\.1)
    }
}
