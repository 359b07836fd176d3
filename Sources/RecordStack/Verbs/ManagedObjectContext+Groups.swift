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
    /// ```
    ///
    /// - Parameters:
    ///   - keys: what all objects of a group have alike: one expression, or a tuple of some.
    ///   - request: which objects.
    ///   - condition: which groups; all without one.
    ///   - values: what is wanted of each group, made of the group and of its keys: one expression, or a
    ///     tuple of some.
    /// - Throws: ``RecordStackError/Code/misuse`` where a value is nil although its type has none, unless
    ///   `.optional` is written behind it, and for a sum that does not fit; and what finding throws.
    public func groups<Entity: ManagedObject, each Key: AttributeValue, each Value: AttributeValue>(
        by keys: (FilterProxy<Entity>) -> (repeat FilterExpression<each Key>),
        of request: FetchRequest<Entity>,
        having condition: ((GroupProxy<Entity>) -> Filter)? = nil,
        _ values: (GroupProxy<Entity>, repeat FilterExpression<each Key>) -> (
            repeat FilterExpression<each Value>
        )
    ) throws -> [(repeat each Value)] {
        let columns = GroupColumns()
        var operands: [FilterOperand] = []
        func key<K>(_ expression: FilterExpression<K>) throws -> FilterExpression<K> {
            let operand = try self.operand(expression)
            operands.append(operand)
            return columns.expression(.key(operands.count - 1), operand.collation)
        }
        let expressions = keys(FilterProxy())
        let proxy = GroupProxy<Entity>(columns: columns)
        let filter = try condition?(proxy).node.resolved(in: storeUUID)
        let wanted = values(proxy, repeat try key(each expressions))
        var checked: [FilterOperand] = []
        repeat checked.append(try operand(each wanted))
        var rows: [(repeat each Value)] = []
        for row in try groups(
            ValueRequest(
                of: storeRequest(request), by: operands,
                columns: try columns.columns.map { try $0.resolved(in: storeUUID) }))
        {
            let group = GroupRow(row)
            if try filter?.isTrue(for: group) == false { continue }
            rows.append((repeat try Self.value(each wanted, of: group, columns)))
        }
        return rows
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

extension ManagedEntity where Self: ManagedObject {
    /// Values of each group of objects, without making objects, in the order of the keys.
    ///
    /// ```swift
    /// let rows = try Person.groups(
    ///     by: \.city, in: context, where: { $0.isActive }, having: { $0.count > 10 }
    /// ) { people, city in (city, people.count, people.average { $0.age }) }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: what all objects of a group have alike: one expression, or a tuple of some.
    ///   - context: where to look.
    ///   - filter: which objects; all without one.
    ///   - condition: which groups; all without one.
    ///   - values: what is wanted of each group: one expression, or a tuple of some.
    /// - Throws: what ``ManagedObjectContext/groups(by:of:having:_:)`` throws, which takes a request.
    public static func groups<each Key: AttributeValue, each Value: AttributeValue>(
        by keys: (FilterProxy<Self>) -> (repeat FilterExpression<each Key>),
        in context: ManagedObjectContext,
        @FilterBuilder where filter: (FilterProxy<Self>) -> Filter = { _ in .all },
        having condition: ((GroupProxy<Self>) -> Filter)? = nil,
        _ values: (GroupProxy<Self>, repeat FilterExpression<each Key>) -> (
            repeat FilterExpression<each Value>
        )
    ) throws -> [(repeat each Value)] {
        try context.groups(by: keys, of: Self.where(filter), having: condition, values)
    }
}
