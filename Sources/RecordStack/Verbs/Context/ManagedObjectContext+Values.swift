public import RecordStackGraph
public import RecordStackModel

extension ManagedObjectContext {
    /// Returns the sum of a value over the objects of a request.
    ///
    /// ```swift
    /// let salaries = try context.sum(of: \.salary, for: Person.where { $0.isActive })
    /// let worth = try context.sum(of: { $0.price * $0.amount }, for: Item.all)
    /// ```
    ///
    /// The sum ignores nil values, and is 0 if there are no other values.
    ///
    /// The store computes the sum in one statement. If the sum depends on unsaved changes, or if
    /// the request has a limit or an offset, the context computes the sum in memory. A sum of
    /// floating-point numbers is rounded only at the end. The sum of infinity and negative infinity
    /// is NaN.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an integer sum that does not fit into 64
    ///   bits, and for a `Decimal` sum with more digits than a `Decimal` holds;
    ///   ``RecordStackError/Code/corrupt`` if another program wrote a value that the attribute
    ///   cannot have; and any error of ``find(_:)``.
    public func sum<Entity: ManagedObject, Value: SummableValue>(
        of value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> Value.Sum {
        try aggregate(.sum, value, request) {
            try FilterExpression<Value.Sum>.decode($0, isSum: true)
        }
    }

    /// Returns the average of a value over the objects of a request.
    ///
    /// The average ignores nil values, and is nil if there are no other values.
    public func average<Entity: ManagedObject, Value: SummableValue>(
        of value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> Double? {
        try aggregate(.average, value, request) { try FilterExpression<Double?>.decode($0) }
    }

    /// Returns the smallest value of the objects of a request, or nil if there is none.
    public func min<Entity: ManagedObject, Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> Value? { try extreme(.minimum, value, request) }

    /// Returns the smallest value of the objects of a request, or nil if there is none.
    public func min<Entity: ManagedObject, Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Entity>) -> FilterExpression<Value?>,
        for request: FetchRequest<Entity>
    ) throws -> Value? { try extreme(.minimum, value, request) }

    /// Returns the largest value of the objects of a request, or nil if there is none.
    public func max<Entity: ManagedObject, Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> Value? { try extreme(.maximum, value, request) }

    /// Returns the largest value of the objects of a request, or nil if there is none.
    public func max<Entity: ManagedObject, Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Entity>) -> FilterExpression<Value?>,
        for request: FetchRequest<Entity>
    ) throws -> Value? { try extreme(.maximum, value, request) }

    /// Returns the number of distinct values among the objects of a request.
    ///
    /// The count ignores nil values.
    public func count<Entity: ManagedObject, Value: AttributeValue>(
        distinct value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> Int {
        try aggregate(.count, value, request, isDistinct: true) {
            try FilterExpression<Int>.decode($0)
        }
    }

    private func extreme<Entity: ManagedObject, Value: AttributeValue, Result: AttributeValue>(
        _ kind: FilterAggregate.Kind, _ value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        _ request: FetchRequest<Entity>
    ) throws -> Result? {
        try aggregate(kind, value, request) { try FilterExpression<Result?>.decode($0) }
    }

    private func aggregate<Entity: ManagedObject, Value: AttributeValue, Result>(
        _ kind: FilterAggregate.Kind, _ value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        _ request: FetchRequest<Entity>, isDistinct: Bool = false,
        _ decode: (StoredValue) throws -> Result
    ) throws -> Result {
        let request = try valueRequest(kind, value, request, isDistinct: isDistinct)
        return try namingWrongValues(
            in: request.columns.compactMap(\.operand), of: Entity.entityDescription
        ) {
            // All objects are one group, which exists even if there are no objects.
            try decode(try queries.groups(request)[0][0])
        }
    }

    /// Returns the store's request for an aggregate over all objects of a request.
    func valueRequest<Entity: ManagedObject, Value: AttributeValue>(
        _ kind: FilterAggregate.Kind, _ value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        _ request: FetchRequest<Entity>, isDistinct: Bool
    ) throws -> ValueRequest {
        let operand = try operand(value(FilterProxy()), of: Entity.entityDescription)
        let column = ValueColumn.aggregate(kind, operand, isDistinct: isDistinct)
        return ValueRequest(of: try storeRequest(request), columns: [column])
    }

    /// Returns the store's form of an expression.
    ///
    /// - Parameter entity: The entity whose objects have the value; nil for a value of groups.
    func operand<Value>(
        _ expression: FilterExpression<Value>, of entity: EntityDescription?
    ) throws -> FilterOperand {
        guard let operand = expression.operand else {
            throw RecordStackError(.misuse, expression.problem)
        }
        if let entity { try operand.check(asking: entity) }
        return try operand.resolved(in: entity.map { try storeUUID(of: $0) } ?? storeUUID)
    }
}

extension ManagedObjectContext {
    /// Returns one value of each object of a request, in the order of the request.
    ///
    /// ```swift
    /// let names = try context.values(of: \.name, for: Person.where { $0.isActive })
    /// let cities = try context.values(of: \.city, distinct: true, for: Person.all)
    /// ```
    ///
    /// The call creates no objects, unless the result depends on unsaved changes. If a to-one
    /// relationship on the value's path is nil, the object has no value. For such an object, the
    /// result contains nil if the value's type is optional. Otherwise the result leaves the object
    /// out.
    ///
    /// - Parameters:
    ///   - value: An attribute, or an expression of attributes.
    ///   - distinct: True to return only the first occurrence of each value.
    ///   - request: The request for the objects.
    public func values<Entity: ManagedObject, Value: AttributeValue>(
        of value: (FilterProxy<Entity>) -> FilterExpression<Value>, distinct: Bool = false,
        for request: FetchRequest<Entity>
    ) throws -> [Value] {
        let expression = value(FilterProxy())
        let operand = try operand(expression, of: Entity.entityDescription)
        var values: [Value] = []
        var met: Set<StoredValue> = []
        try namingWrongValues(in: [operand], of: Entity.entityDescription) {
            try queries.eachRow(of: storeRequest(request), [operand]) { row in
                if row[0].isNull && !Value.isOptional { return }
                if distinct && !met.insert(row[0]).inserted { return }
                values.append(try FilterExpression<Value>.decode(row[0]))
            }
        }
        return values
    }

    /// Returns several values of each object of a request, in the order of the request.
    ///
    /// ```swift
    /// let rows = try context.rows(of: { ($0.name, $0.team.title.optional) }, for: Person.all)
    /// ```
    ///
    /// The call creates no objects, unless the result depends on unsaved changes.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if a value is nil because a to-one relationship
    ///   on its path is nil (append `.optional` to the expression to allow nil), and any error of
    ///   ``find(_:)``.
    public func rows<Entity: ManagedObject, each Value: AttributeValue>(
        of values: (FilterProxy<Entity>) -> (repeat FilterExpression<each Value>),
        for request: FetchRequest<Entity>
    ) throws -> [(repeat each Value)] {
        let expressions = values(FilterProxy())
        var operands: [FilterOperand] = []
        repeat operands.append(try operand(each expressions, of: Entity.entityDescription))
        var rows: [(repeat each Value)] = []
        try namingWrongValues(in: operands, of: Entity.entityDescription) {
            try queries.eachRow(of: storeRequest(request), operands) { row in
                var rest = row[...]
                rows.append((repeat try FilterExpression<each Value>.decode(rest.removeFirst())))
            }
        }
        return rows
    }

    /// Returns the IDs of a request's objects, in the request's order, without creating objects.
    public func objectIDs<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>
    ) throws -> [ManagedObjectID] { try queries.ids(of: storeRequest(request)) }

    /// Returns the only object of a request.
    ///
    /// ```swift
    /// let ann = try context.one(Person.where { $0.email == "ann@example.org" })
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/notFound`` if no object matches,
    ///   ``RecordStackError/Code/notUnique`` if several objects match, and any error of
    ///   ``find(_:)``.
    public func one<Entity: ManagedObject>(_ request: FetchRequest<Entity>) throws -> Entity {
        var two = request
        two.limit = Swift.min(two.limit ?? 2, 2)
        let found = try find(two)
        if found.count == 1 { return found[0] }
        let name = Entity.entityDescription.name
        throw found.isEmpty
            ? RecordStackError(
                .notFound, "No \(name) fits, and one was asked for.", entity: name)
            : RecordStackError(
                .notUnique,
                "Several objects of \(name) fit, and one was asked for; \(found[0].objectID) and "
                    + "\(found[1].objectID) are two of them. Make the condition narrower, or take the "
                    + "first in an order with `findFirst`.", entity: name)
    }
}
