extension FilterExpression {
    /// The value as an Optional, which is nil if a to-one relationship on its path is nil.
    ///
    /// ```swift
    /// let rows = try Person.rows(of: { ($0.name, $0.team.title.optional) }, in: context)
    /// ```
    public var optional: FilterExpression<Value?> { map { $0 } }

    /// Decodes a value that a store has computed.
    ///
    /// - Parameter isSum: true if the value is a sum, which is never nil. The store returns null
    ///   for the sum of positive and negative infinity, and the method then returns NaN.
    /// - Throws: ``RecordStackError/Code/misuse`` for null if the type is not optional, and for a
    ///   number that does not fit the type.
    package static func decode(_ value: StoredValue, isSum: Bool = false) throws -> Value {
        if let decoded = Value(storedValue: value) { return decoded }
        if isSum, value.isNull, let nan = Double.nan as? Value { return nan }
        let type = Value.attributeType.name
        if value.isNull {
            throw RecordStackError(
                .misuse,
                "A value of the type \(type) was asked for, and there is none: a relationship on its path "
                    + "is nil, or nothing is there to reckon with. Write `.optional` behind the "
                    + "expression, or leave those objects out with a condition.")
        }
        throw RecordStackError(
            .misuse,
            "\(value) was reckoned, which is no value of the type \(type). If it is too large, write "
                + "`.asDouble` behind the expression.")
    }
}
