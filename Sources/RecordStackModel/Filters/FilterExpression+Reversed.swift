// Comparisons with the value on the left side swap the sides. Arithmetic has no such
// operators: each additional operator costs the compiler time in every filter.
// `FilterExpression(100) - $0.pay` does the same.

extension FilterExpression {
    /// Matches equal values, and treats nil as equal only to nil.
    public static func == (lhs: Value, rhs: FilterExpression) -> Filter { rhs == lhs }

    /// Matches different values, and treats nil as equal only to nil.
    public static func != (lhs: Value, rhs: FilterExpression) -> Filter { rhs != lhs }
}

extension FilterExpression where Value: Comparable {
    /// Matches values greater than the left side.
    public static func < (lhs: Value, rhs: FilterExpression) -> Filter { rhs > lhs }

    /// Matches values greater than or equal to the left side.
    public static func <= (lhs: Value, rhs: FilterExpression) -> Filter { rhs >= lhs }

    /// Matches values less than the left side.
    public static func > (lhs: Value, rhs: FilterExpression) -> Filter { rhs < lhs }

    /// Matches values less than or equal to the left side.
    public static func >= (lhs: Value, rhs: FilterExpression) -> Filter { rhs <= lhs }
}

extension FilterExpression {
    /// Matches non-nil values greater than the left side.
    public static func < <Wrapped: AttributeValue & Comparable>(
        lhs: Wrapped, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? { rhs > lhs }

    /// Matches non-nil values greater than or equal to the left side.
    public static func <= <Wrapped: AttributeValue & Comparable>(
        lhs: Wrapped, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? { rhs >= lhs }

    /// Matches non-nil values less than the left side.
    public static func > <Wrapped: AttributeValue & Comparable>(
        lhs: Wrapped, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? { rhs < lhs }

    /// Matches non-nil values less than or equal to the left side.
    public static func >= <Wrapped: AttributeValue & Comparable>(
        lhs: Wrapped, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? { rhs <= lhs }
}
