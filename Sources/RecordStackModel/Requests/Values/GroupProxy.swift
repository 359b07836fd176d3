/// A placeholder for a group of objects, in closures that compute values of the group.
///
/// ```swift
/// let rows = try Person.groups(
///     by: \.city, in: context, having: { $0.count > 10 }
/// ) { people, city in
///     (city, people.count, people.average { $0.age })
/// }
/// for (city, number, age) in rows { print(city, number, age ?? 0) }
/// ```
///
/// The values of a group are expressions. You can compare them and calculate with them, as in a
/// filter.
public struct GroupProxy<Entity: ManagedEntity> {
    private let columns: GroupColumns

    package init(columns: GroupColumns) {
        self.columns = columns
    }

    /// The number of objects in the group.
    public var count: FilterExpression<Int> {
        columns.expression(.aggregate(.count, nil), .binary)
    }

    /// Returns the number of different non-nil values of the objects.
    public func count<Value: AttributeValue>(
        distinct value: (FilterProxy<Entity>) -> FilterExpression<Value>
    ) -> FilterExpression<Int> { aggregate(.count, value, isDistinct: true) }

    /// Returns the sum of the objects' non-nil values, or 0 if there are no such values.
    public func sum<Value: SummableValue>(
        _ value: (FilterProxy<Entity>) -> FilterExpression<Value>
    ) -> FilterExpression<Value.Sum> { aggregate(.sum, value) }

    /// Returns the average of the objects' non-nil values, or nil if there are no such values.
    public func average<Value: SummableValue>(
        _ value: (FilterProxy<Entity>) -> FilterExpression<Value>
    ) -> FilterExpression<Double?> { aggregate(.average, value) }

    /// Returns the least of the objects' non-nil values, or nil if there are no such values.
    public func min<Value: AttributeValue>(
        _ value: (FilterProxy<Entity>) -> FilterExpression<Value>
    ) -> FilterExpression<Value> { aggregate(.minimum, value) }

    /// Returns the greatest of the objects' non-nil values, or nil if there are no such values.
    public func max<Value: AttributeValue>(
        _ value: (FilterProxy<Entity>) -> FilterExpression<Value>
    ) -> FilterExpression<Value> { aggregate(.maximum, value) }

    private func aggregate<Value, Result>(
        _ kind: FilterAggregate.Kind, _ value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        isDistinct: Bool = false
    ) -> FilterExpression<Result> {
        let expression = value(FilterProxy())
        guard let operand = expression.operand else {
            return FilterExpression(problem: expression.problem)
        }
        let collation = kind == .count || kind == .average ? .binary : operand.collation
        return columns.expression(
            .aggregate(kind, operand, isDistinct: isDistinct), collation)
    }
}

/// The columns that the closures over a group use, each listed once.
package final class GroupColumns {
    package private(set) var columns: [ValueColumn] = []

    package init() {}

    /// Whether an operand is a sum and nothing else.
    package func isSum(_ operand: FilterOperand) -> Bool {
        guard case .path(let path) = operand, let index = Self.index(of: path.slot),
            case .aggregate(.sum, _, _) = columns[index]
        else { return false }
        return true
    }

    // Columns have slots that no attribute has, so an
    // attribute of an object is never taken for a column.
    private static func slot(of index: Int) -> Int { FilterPath.keySlot - 1 - index }

    fileprivate static func index(of slot: Int) -> Int? {
        slot < FilterPath.keySlot ? FilterPath.keySlot - 1 - slot : nil
    }

    /// Returns an expression for a column, which conditions and values of the group can use.
    package func expression<Value>(
        _ column: ValueColumn, _ collation: Collation
    ) -> FilterExpression<Value> {
        let known = columns.firstIndex(of: column)
        if known == nil { columns.append(column) }
        let slot = Self.slot(of: known ?? columns.count - 1)
        return FilterExpression(.path(FilterPath(slot: slot, collation: collation)))
    }
}

/// The row of a group, in the form in which conditions and values read it.
package struct GroupRow: FilterSubject {
    let values: [StoredValue]

    package init(_ values: [StoredValue]) {
        self.values = values
    }

    package var key: Int64 { 0 }
    package func storedValue(at slot: Int) throws -> StoredValue {
        guard let index = GroupColumns.index(of: slot) else { throw Self.noObject }
        return values[index]
    }

    package func related(_ step: FilterPath.Step) throws -> GroupRow? { throw Self.noObject }

    package func members(_ relation: FilterRelation) throws -> [GroupRow] { throw Self.noObject }

    private static var noObject: RecordStackError {
        RecordStackError(
            .misuse,
            "A condition or a value of a group names a property of objects. Hand it to `sum`, `min` or "
                + "another of the group's own values.")
    }
}
