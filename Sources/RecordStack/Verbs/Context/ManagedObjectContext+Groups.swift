public import RecordStackGraph
public import RecordStackModel

extension ManagedObjectContext {
    /// Values of each group of a request's objects, without making objects, in the order of the keys.
    ///
    /// ```swift
    /// let rows = try context.groups(by: \.city, of: Person.where { $0.isActive }) { people, city in
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
    /// The store reckons all groups in one statement. Which of them are wanted is decided, and they are
    /// sorted, in memory.
    ///
    /// - Parameters:
    ///   - keys: what all objects of a group have alike: one expression, or a tuple of some.
    ///   - request: which objects.
    ///   - condition: which groups; all without one.
    ///   - sortKeys: what to sort the groups by; without, they come in the order of their keys.
    ///   - limit: how many groups at most.
    ///   - offset: how many to leave out at the beginning.
    ///   - values: what is wanted of each group, made of the group and of its keys: one expression, or a
    ///     tuple of some.
    /// - Throws: ``RecordStackError/Code/misuse`` where a value is nil although its type has none, unless
    ///   `.optional` is written behind it, for a sum that does not fit, and for a negative limit or offset; and
    ///   what finding throws.
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

    /// What is wanted of each group.
    /// - Parameter operands: takes what the objects are grouped by.
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
        // What is wrong with an expression was said before.
        guard let operand = expression.operand else {
            throw RecordStackError(.misuse, expression.problem)
        }
        return try FilterExpression<Value>.decode(
            operand.value(for: group), isSum: columns.isSum(operand))
    }
}
