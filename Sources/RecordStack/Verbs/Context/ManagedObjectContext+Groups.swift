public import RecordStackGraph
public import RecordStackModel

extension ManagedObjectContext {
    /// Returns values for each group of a request's objects.
    ///
    /// ```swift
    /// let active = Person.where { $0.isActive }
    /// let rows = try context.groups(by: \.city, of: active) { people, city in
    ///     (city, people.count, people.average { $0.age })
    /// }
    /// let lines = try context.groups(by: { ($0.year, $0.team.title.optional) }, of: Person.all) {
    ///     people, year, team in (year, team, people.count)
    /// }.map(Line.init)
    /// let largest = try context.groups(
    ///     by: \.city, of: Person.all, sortedBy: .descending { $0.count }, limit: 5
    /// ) { people, city in (city, people.count) }
    /// ```
    ///
    /// The store computes all groups in one statement. If the result depends on unsaved changes, or
    /// if the request has a limit or an offset, the context computes the groups instead. It creates
    /// objects only if the result depends on unsaved changes. The context always filters and sorts
    /// the groups in memory.
    ///
    /// - Parameters:
    ///   - keys: The values that all objects of a group have in common: one expression, or a tuple
    ///     of expressions.
    ///   - request: The request for the objects.
    ///   - condition: The condition for groups. Without a condition, all groups match.
    ///   - sortKeys: The sort order of the groups. By default, groups are sorted by their keys.
    ///   - limit: The maximum number of groups.
    ///   - offset: The number of groups to skip.
    ///   - values: The values to return for each group: one expression of the group and its keys,
    ///     or a tuple of expressions.
    /// - Throws: ``RecordStackError/Code/misuse`` if a value is nil although its type is not
    ///   optional (append `.optional` to allow nil), if a sum does not fit its type, or if the
    ///   limit or the offset is negative. Also any error of ``find(_:)``.
    public func groups<Entity: ManagedObject, each Key: AttributeValue, each Value: AttributeValue>(
        by keys: (FilterProxy<Entity>) -> (repeat FilterExpression<each Key>),
        of request: FetchRequest<Entity>,
        having condition: ((GroupProxy<Entity>) -> Filter)? = nil,
        sortedBy sortKeys: [GroupSortKey<Entity>] = [], limit: Int? = nil, offset: Int = 0,
        _ values: (GroupProxy<Entity>, repeat FilterExpression<each Key>) -> (
            repeat FilterExpression<each Value>
        )
    ) throws -> [(repeat each Value)] {
        let columns = GroupColumns()
        let proxy = GroupProxy<Entity>(columns: columns)
        let window = try window(
            proxy, having: condition, sortedBy: sortKeys, limit: limit, offset: offset)
        var operands: [FilterOperand] = []
        let wanted = try wanted(by: keys, into: &operands, of: proxy, columns, values)
        let grouped = try valueRequest(request, by: operands, columns)
        return try namingWrongValues(
            in: operands + grouped.columns.compactMap(\.operand), of: Entity.entityDescription
        ) {
            var rows: [(repeat each Value)] = []
            for group in try window.groups(of: queries.groups(grouped)) {
                rows.append((repeat try Self.value(each wanted, of: group, columns)))
            }
            return rows
        }
    }

    func window<Entity: ManagedObject>(
        _ proxy: GroupProxy<Entity>, having condition: ((GroupProxy<Entity>) -> Filter)?,
        sortedBy sortKeys: [GroupSortKey<Entity>], limit: Int?, offset: Int
    ) throws -> GroupWindow {
        let store = try storeUUID(of: Entity.entityDescription)
        return try GroupWindow(
            filter: condition?(proxy).node.resolved(in: store, asking: nil),
            terms: sortKeys.map { try $0.term(of: proxy).resolved(in: store) },
            limit: limit, offset: offset)
    }

    /// Returns the expressions for the values of each group.
    ///
    /// - Parameter operands: Receives the operands to group by.
    func wanted<Entity: ManagedObject, each Key: AttributeValue, each Value: AttributeValue>(
        by keys: (FilterProxy<Entity>) -> (repeat FilterExpression<each Key>),
        into operands: inout [FilterOperand], of proxy: GroupProxy<Entity>,
        _ columns: GroupColumns,
        _ values: (GroupProxy<Entity>, repeat FilterExpression<each Key>) -> (
            repeat FilterExpression<each Value>
        )
    ) throws -> (repeat FilterExpression<each Value>) {
        func key<K>(_ expression: FilterExpression<K>) throws -> FilterExpression<K> {
            let operand = try self.operand(expression, of: Entity.entityDescription)
            operands.append(operand)
            return columns.expression(.key(operands.count - 1), operand.collation)
        }
        let expressions = keys(FilterProxy())
        let wanted = values(proxy, repeat try key(each expressions))
        var checked: [FilterOperand] = []
        repeat checked.append(try operand(each wanted, of: nil))
        return (repeat each wanted)
    }

    func valueRequest<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, by keys: [FilterOperand], _ columns: GroupColumns
    ) throws -> ValueRequest {
        let store = try storeUUID(of: Entity.entityDescription)
        return try ValueRequest(
            of: storeRequest(request), by: keys,
            columns: columns.columns.map { try $0.resolved(in: store) })
    }

    private static func value<Value>(
        _ expression: FilterExpression<Value>, of group: GroupRow, _ columns: GroupColumns
    ) throws -> Value {
        // `wanted` has already thrown an error for an expression with a problem.
        guard let operand = expression.operand else {
            throw RecordStackError(.misuse, expression.problem)
        }
        return try FilterExpression<Value>.decode(
            operand.value(for: group), isSum: columns.isSum(operand))
    }
}
