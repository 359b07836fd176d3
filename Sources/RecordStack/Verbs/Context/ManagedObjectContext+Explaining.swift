public import RecordStackGraph
public import RecordStackModel

extension ManagedObjectContext {
    /// How a request is answered: its SQL, the values that are bound, SQLite's plan, and the indexes it uses.
    ///
    /// ```swift
    /// print(try context.explain(Person.where { $0.age >= 18 }))
    /// ```
    ///
    /// - Throws: what finding throws.
    public func explain<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>
    ) throws -> RequestExplanation { try queries.explanation(of: storeRequest(request)) }

    /// How ``page(after:size:of:)`` is answered. Where an index has the order, a page behind a token may take
    /// more than one statement: they are asked in this order until the page is full, each for what it still lacks.
    ///
    /// ```swift
    /// let request = Person.all.sorted(by: .ascending(\.name))
    /// let first = try context.page(after: nil, size: 25, of: request)
    /// for step in try context.explain(pageAfter: first.next, size: 25, of: request) { print(step) }
    /// ```
    ///
    /// - Throws: what the page throws.
    public func explain<Entity: ManagedObject>(
        pageAfter token: PageToken?, size: Int, of request: FetchRequest<Entity>
    ) throws -> [RequestExplanation] {
        try queries.explanations(
            ofPageFrom: token, backwards: false, size: size, storeRequest(request))
    }

    /// How ``page(before:size:of:)`` is answered; see ``explain(pageAfter:size:of:)``.
    public func explain<Entity: ManagedObject>(
        pageBefore token: PageToken?, size: Int, of request: FetchRequest<Entity>
    ) throws -> [RequestExplanation] {
        try queries.explanations(
            ofPageFrom: token, backwards: true, size: size, storeRequest(request))
    }

    /// How ``count(_:)`` is answered; see ``explain(_:)``. `exists` asks for the first row alone.
    ///
    /// ```swift
    /// print(try context.explain(countOf: Person.where { $0.age >= 18 }))
    /// // SELECT count(*) FROM "Person" AS t0 WHERE t0."age" >= ?
    /// ```
    ///
    /// - Throws: what counting throws.
    public func explain<Entity: ManagedObject>(
        countOf request: FetchRequest<Entity>
    ) throws -> RequestExplanation { try queries.explanation(ofCounting: storeRequest(request)) }

    /// How ``sum(of:for:)`` is answered.
    ///
    /// ```swift
    /// print(try context.explain(sumOf: \.salary, for: Person.where { $0.isActive }))
    /// // SELECT RECORDSTACK_SUM(t0."salary") FROM "Person" AS t0 WHERE t0."isActive" = ?
    /// ```
    ///
    /// A request with a limit or an offset, and values that are changed in memory, are reckoned there: then this
    /// is how their objects' values are read.
    ///
    /// - Throws: what finding throws.
    public func explain<Entity: ManagedObject, Value: SummableValue>(
        sumOf value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> RequestExplanation { try explain(.sum, value, request) }

    /// How ``average(of:for:)`` is answered; see ``explain(sumOf:for:)``.
    public func explain<Entity: ManagedObject, Value: SummableValue>(
        averageOf value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> RequestExplanation { try explain(.average, value, request) }

    /// How `min(of:for:)` is answered; see ``explain(sumOf:for:)``.
    public func explain<Entity: ManagedObject, Value: AttributeValue>(
        minOf value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> RequestExplanation { try explain(.minimum, value, request) }

    /// How `max(of:for:)` is answered; see ``explain(sumOf:for:)``.
    public func explain<Entity: ManagedObject, Value: AttributeValue>(
        maxOf value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> RequestExplanation { try explain(.maximum, value, request) }

    /// How ``count(distinct:for:)`` is answered; see ``explain(sumOf:for:)``.
    public func explain<Entity: ManagedObject, Value: AttributeValue>(
        countDistinct value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> RequestExplanation { try explain(.count, value, request, isDistinct: true) }

    private func explain<Entity: ManagedObject, Value: AttributeValue>(
        _ kind: FilterAggregate.Kind, _ value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        _ request: FetchRequest<Entity>, isDistinct: Bool = false
    ) throws -> RequestExplanation {
        try queries.explanation(of: valueRequest(kind, value, request, isDistinct: isDistinct))
    }
}

extension ManagedObjectContext {
    /// How ``values(of:distinct:for:)`` is answered. Which values come once is decided in memory.
    ///
    /// ```swift
    /// print(try context.explain(valuesOf: \.name, for: Person.where { $0.isActive }))
    /// ```
    ///
    /// - Throws: what finding throws.
    public func explain<Entity: ManagedObject, Value: AttributeValue>(
        valuesOf value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> RequestExplanation {
        let column = ValueColumn.value(
            try operand(value(FilterProxy()), of: Entity.entityDescription))
        return try queries.explanation(
            of: ValueRequest(of: storeRequest(request), columns: [column]))
    }

    /// How ``rows(of:for:)`` is answered.
    ///
    /// ```swift
    /// print(try context.explain(rowsOf: { ($0.name, $0.team.title.optional) }, for: Person.all))
    /// ```
    ///
    /// - Throws: what finding throws.
    public func explain<Entity: ManagedObject, each Value: AttributeValue>(
        rowsOf values: (FilterProxy<Entity>) -> (repeat FilterExpression<each Value>),
        for request: FetchRequest<Entity>
    ) throws -> RequestExplanation {
        let expressions = values(FilterProxy())
        var columns: [ValueColumn] = []
        repeat columns.append(.value(try operand(each expressions, of: Entity.entityDescription)))
        return try queries.explanation(
            of: ValueRequest(of: storeRequest(request), columns: columns))
    }

    /// How ``groups(by:of:having:sortedBy:limit:offset:_:)`` is answered; see ``explain(sumOf:for:)``. Which groups
    /// are wanted, their order and their limit are decided in memory; what that looks at is read along.
    ///
    /// ```swift
    /// let explanation = try context.explain(groupsBy: \.city, of: Person.all) { people, city in
    ///     (city, people.count)
    /// }
    /// ```
    ///
    /// - Throws: what finding throws.
    public func explain<
        Entity: ManagedObject, each Key: AttributeValue, each Value: AttributeValue
    >(
        groupsBy keys: (FilterProxy<Entity>) -> (repeat FilterExpression<each Key>),
        of request: FetchRequest<Entity>,
        having condition: ((GroupProxy<Entity>) -> Filter)? = nil,
        sortedBy sortKeys: [GroupSortKey<Entity>] = [], limit: Int? = nil, offset: Int = 0,
        _ values: (GroupProxy<Entity>, repeat FilterExpression<each Key>) -> (
            repeat FilterExpression<each Value>
        )
    ) throws -> RequestExplanation {
        let columns = GroupColumns()
        let proxy = GroupProxy<Entity>(columns: columns)
        _ = try window(proxy, having: condition, sortedBy: sortKeys, limit: limit, offset: offset)
        var operands: [FilterOperand] = []
        _ = try wanted(by: keys, into: &operands, of: proxy, columns, values)
        return try queries.explanation(of: valueRequest(request, by: operands, columns))
    }
}
