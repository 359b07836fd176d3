/// A value of a group to sort groups by, and the direction.
///
/// ```swift
/// let largest = try Person.groups(
///     by: \.city, sortedBy: [.descending { $0.count }, .ascending { $0.min { $0.age } }], limit: 5,
///     in: context
/// ) { people, city in (city, people.count) }
/// ```
///
/// What is written behind a `having:` can be written here: values of all objects of a group, and what is
/// reckoned with them. They are ordered as those of a ``SortKey``, with nil first when ascending unless `nulls`
/// says where. Groups that are alike in all keys follow in the order of what they are grouped by.
public struct GroupSortKey<Entity: ManagedEntity> {
    private let make: (GroupProxy<Entity>) -> SortTerm

    /// Smallest first.
    /// - Parameters:
    ///   - options: how texts are compared; without any, by bytes.
    ///   - nulls: where groups without a value stand; first, if nothing is said.
    ///   - value: a value of the group.
    public static func ascending<Value: AttributeValue>(
        _ options: TextOptions = [], nulls: NullOrder? = nil,
        _ value: @escaping (GroupProxy<Entity>) -> FilterExpression<Value>
    ) -> Self { GroupSortKey(isAscending: true, options, nulls, value) }

    /// Largest first.
    /// - Parameters:
    ///   - options: how texts are compared; without any, by bytes.
    ///   - nulls: where groups without a value stand; last, if nothing is said.
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

    /// The key over the columns of a group's row.
    /// - Throws: what is wrong with the value, if anything is.
    package func term(of group: GroupProxy<Entity>) throws -> SortTerm {
        let term = make(group)
        if !term.problem.isEmpty { throw RecordStackError(.misuse, term.problem) }
        return term
    }
}

/// Which of the groups are wanted, and in which order: what is reckoned in memory once a store has given a row
/// for each group.
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

    /// - Parameter rows: those of all groups, in the order of their keys.
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
