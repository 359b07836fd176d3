public import RecordStackGraph
public import RecordStackModel

extension ManagedObjectContext {
    /// Explains how the context finds a request's objects.
    ///
    /// ```swift
    /// print(try context.explain(Person.where { $0.age >= 18 }))
    /// ```
    ///
    /// The explanation contains the SQL, the bound values, SQLite's query plan, and the indexes
    /// that the plan uses.
    ///
    /// - Throws: Any error of ``find(_:)``.
    public func explain<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>
    ) throws -> RequestExplanation { try queries.explanation(of: storeRequest(request)) }

    /// Explains how the context reads a page with ``page(after:size:of:)``.
    ///
    /// ```swift
    /// let request = Person.all.sorted(by: .ascending(\.name))
    /// let first = try context.page(after: nil, size: 25, of: request)
    /// let steps = try context.explain(pageAfter: first.next, size: 25, of: request)
    /// for step in steps { print(step) }
    /// ```
    ///
    /// If an index is sorted by the first sort key, a page after a token may take more than one
    /// statement. The statements run in the order of the returned array until the page is full.
    /// Each statement reads at most the number of objects that the page still lacks, plus one
    /// object that shows whether another page follows.
    ///
    /// - Throws: Any error of ``page(after:size:of:)``.
    public func explain<Entity: ManagedObject>(
        pageAfter token: PageToken?, size: Int, of request: FetchRequest<Entity>
    ) throws -> [RequestExplanation] {
        try queries.explanations(
            ofPageFrom: token, backwards: false, size: size, storeRequest(request))
    }

    /// Explains how the context reads a page with ``page(before:size:of:)``.
    ///
    /// See ``explain(pageAfter:size:of:)`` for details.
    public func explain<Entity: ManagedObject>(
        pageBefore token: PageToken?, size: Int, of request: FetchRequest<Entity>
    ) throws -> [RequestExplanation] {
        try queries.explanations(
            ofPageFrom: token, backwards: true, size: size, storeRequest(request))
    }

    /// Explains how the context runs ``count(_:)``.
    ///
    /// ```swift
    /// print(try context.explain(countOf: Person.where { $0.age >= 18 }))
    /// // SELECT count(*) FROM "Person" AS t0 WHERE t0."age" >= ?
    /// ```
    ///
    /// `exists` does not count the objects: it reads only the first row.
    ///
    /// - Throws: Any error of ``count(_:)``.
    public func explain<Entity: ManagedObject>(
        countOf request: FetchRequest<Entity>
    ) throws -> RequestExplanation { try queries.explanation(ofCounting: storeRequest(request)) }

    /// Explains how the context computes ``sum(of:for:)``.
    ///
    /// ```swift
    /// print(try context.explain(sumOf: \.salary, for: Person.where { $0.isActive }))
    /// // SELECT RECORDSTACK_SUM(t0."salary") FROM "Person" AS t0 WHERE t0."isActive" = ?
    /// ```
    ///
    /// If the request has a limit or an offset, or if the sum depends on unsaved changes, the
    /// context computes the sum in memory. The explanation then shows how the context reads the
    /// values.
    ///
    /// - Throws: Any error of ``find(_:)``.
    public func explain<Entity: ManagedObject, Value: SummableValue>(
        sumOf value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> RequestExplanation { try explain(.sum, value, request) }

    /// Explains how the context computes ``average(of:for:)``.
    ///
    /// See ``explain(sumOf:for:)`` for details.
    public func explain<Entity: ManagedObject, Value: SummableValue>(
        averageOf value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> RequestExplanation { try explain(.average, value, request) }

    /// Explains how the context computes `min(of:for:)`.
    ///
    /// See ``explain(sumOf:for:)`` for details.
    public func explain<Entity: ManagedObject, Value: AttributeValue>(
        minOf value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> RequestExplanation { try explain(.minimum, value, request) }

    /// Explains how the context computes `max(of:for:)`.
    ///
    /// See ``explain(sumOf:for:)`` for details.
    public func explain<Entity: ManagedObject, Value: AttributeValue>(
        maxOf value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> RequestExplanation { try explain(.maximum, value, request) }

    /// Explains how the context computes ``count(distinct:for:)``.
    ///
    /// See ``explain(sumOf:for:)`` for details.
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
    /// Explains how the context reads values with ``values(of:distinct:for:)``.
    ///
    /// ```swift
    /// print(try context.explain(valuesOf: \.name, for: Person.where { $0.isActive }))
    /// ```
    ///
    /// With `distinct`, the context removes duplicates in memory.
    ///
    /// - Throws: Any error of ``find(_:)``.
    public func explain<Entity: ManagedObject, Value: AttributeValue>(
        valuesOf value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> RequestExplanation {
        let column = ValueColumn.value(
            try operand(value(FilterProxy()), of: Entity.entityDescription))
        return try queries.explanation(
            of: ValueRequest(of: storeRequest(request), columns: [column]))
    }

    /// Explains how the context reads values with ``rows(of:for:)``.
    ///
    /// ```swift
    /// print(try context.explain(rowsOf: { ($0.name, $0.team.title.optional) }, for: Person.all))
    /// ```
    ///
    /// - Throws: Any error of ``find(_:)``.
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

    /// Explains how the context computes ``groups(by:of:having:sortedBy:limit:offset:_:)``.
    ///
    /// ```swift
    /// let explanation = try context.explain(groupsBy: \.city, of: Person.all) { people, city in
    ///     (city, people.count)
    /// }
    /// ```
    ///
    /// The context filters, sorts and limits the groups in memory. Therefore the SQL also reads the
    /// values that the filter and the sort keys need. See also ``explain(sumOf:for:)``.
    ///
    /// - Throws: Any error of ``find(_:)``.
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
