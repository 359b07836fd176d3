public import RecordStackGraph
public import RecordStackModel

extension ManagedObjectContext {
    /// The sum of a value of a request's objects; 0 where there is none. Nil does not count.
    ///
    /// ```swift
    /// let salaries = try context.sum(of: \.salary, for: Person.where { $0.isActive })
    /// let worth = try context.sum(of: { $0.price * $0.amount }, for: Item.all)
    /// ```
    ///
    /// Reckoned by the store in one statement; what is changed in memory counts as it is there. A sum of real
    /// numbers is rounded once; that of an infinity and its opposite is NaN.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an integer sum that does not fit into 64 bits and for a
    ///   sum of `Decimal` that has more digits than a `Decimal` holds, ``RecordStackError/Code/corrupt`` where
    ///   a value that another program wrote is none of the attribute, and what finding throws.
    public func sum<Entity: ManagedObject, Value: SummableValue>(
        of value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> Value.Sum {
        try aggregate(.sum, value, request) {
            try FilterExpression<Value.Sum>.decode($0, isSum: true)
        }
    }

    /// The average of a value of a request's objects; nil where there is none. Nil does not count.
    public func average<Entity: ManagedObject, Value: SummableValue>(
        of value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> Double? {
        try aggregate(.average, value, request) { try FilterExpression<Double?>.decode($0) }
    }

    /// The least value of a request's objects; nil where there is none. Nil does not count.
    public func min<Entity: ManagedObject, Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> Value? { try extreme(.minimum, value, request) }

    /// The least value of a request's objects; nil where there is none. Nil does not count.
    public func min<Entity: ManagedObject, Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Entity>) -> FilterExpression<Value?>,
        for request: FetchRequest<Entity>
    ) throws -> Value? { try extreme(.minimum, value, request) }

    /// The greatest value of a request's objects; nil where there is none. Nil does not count.
    public func max<Entity: ManagedObject, Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        for request: FetchRequest<Entity>
    ) throws -> Value? { try extreme(.maximum, value, request) }

    /// The greatest value of a request's objects; nil where there is none. Nil does not count.
    public func max<Entity: ManagedObject, Value: AttributeValue & Comparable>(
        of value: (FilterProxy<Entity>) -> FilterExpression<Value?>,
        for request: FetchRequest<Entity>
    ) throws -> Value? { try extreme(.maximum, value, request) }

    /// How many different values a request's objects have. Nil does not count.
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
            // All objects are one group, also where there are none.
            try decode(try queries.groups(request)[0][0])
        }
    }

    /// What asks for one value of all objects of a request.
    func valueRequest<Entity: ManagedObject, Value: AttributeValue>(
        _ kind: FilterAggregate.Kind, _ value: (FilterProxy<Entity>) -> FilterExpression<Value>,
        _ request: FetchRequest<Entity>, isDistinct: Bool
    ) throws -> ValueRequest {
        let operand = try operand(value(FilterProxy()), of: Entity.entityDescription)
        let column = ValueColumn.aggregate(kind, operand, isDistinct: isDistinct)
        return ValueRequest(of: try storeRequest(request), columns: [column])
    }

    /// The store's form of an expression.
    /// - Parameter entity: of whose objects it is a value; nil for one of groups.
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
    /// A value of each of a request's objects, in its order, without making objects.
    ///
    /// ```swift
    /// let names = try context.values(of: \.name, for: Person.where { $0.isActive })
    /// let cities = try context.values(of: \.city, distinct: true, for: Person.all)
    /// ```
    ///
    /// Objects without a value, because a to-one relationship on its path is nil, are left out where the value's type
    /// has no nil.
    ///
    /// - Parameters:
    ///   - value: an attribute, or what is made of some.
    ///   - distinct: whether a value comes once, where it stands first.
    ///   - request: which objects.
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

    /// Several values of each of a request's objects, in its order, without making objects.
    ///
    /// ```swift
    /// let rows = try context.rows(of: { ($0.name, $0.team.title.optional) }, for: Person.all)
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` where a value is nil because a to-one relationship on its path is
    ///   nil, unless `.optional` is written behind it; and what finding throws.
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

    /// The IDs of a request's objects, in its order, without making objects.
    public func objectIDs<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>
    ) throws -> [ManagedObjectID] { try queries.ids(of: storeRequest(request)) }

    /// The only object of a request.
    ///
    /// ```swift
    /// let ann = try context.one(Person.where { $0.email == "ann@example.org" })
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/notFound`` where there is none, ``RecordStackError/Code/notUnique``
    ///   where there are several, and what finding throws.
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
