// Comparisons with the value on the left are those with it on the right, turned round. Arithmetic has none: each
// operator more costs the compiler time in every filter, and `FilterExpression(100) - $0.pay` says it as well.

extension FilterExpression {
    /// Equal values; nil equals nil.
    public static func == (lhs: Value, rhs: FilterExpression) -> Filter { rhs == lhs }

    /// Different values; nil differs from every value.
    public static func != (lhs: Value, rhs: FilterExpression) -> Filter { rhs != lhs }
}

extension FilterExpression where Value: Comparable {
    /// Larger values.
    public static func < (lhs: Value, rhs: FilterExpression) -> Filter { rhs > lhs }

    /// Larger or equal values.
    public static func <= (lhs: Value, rhs: FilterExpression) -> Filter { rhs >= lhs }

    /// Smaller values.
    public static func > (lhs: Value, rhs: FilterExpression) -> Filter { rhs < lhs }

    /// Smaller or equal values.
    public static func >= (lhs: Value, rhs: FilterExpression) -> Filter { rhs <= lhs }
}

extension FilterExpression {
    /// Larger values; nil is none of them.
    public static func < <Wrapped: AttributeValue & Comparable>(
        lhs: Wrapped, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? { rhs > lhs }

    /// Larger or equal values; nil is none of them.
    public static func <= <Wrapped: AttributeValue & Comparable>(
        lhs: Wrapped, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? { rhs >= lhs }

    /// Smaller values; nil is none of them.
    public static func > <Wrapped: AttributeValue & Comparable>(
        lhs: Wrapped, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? { rhs < lhs }

    /// Smaller or equal values; nil is none of them.
    public static func >= <Wrapped: AttributeValue & Comparable>(
        lhs: Wrapped, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? { rhs <= lhs }
}
