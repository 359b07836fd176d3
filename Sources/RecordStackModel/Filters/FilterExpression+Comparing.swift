// Each operator has an overload for a value and one for an expression. In a comparison of an
// optional attribute, a value that is not optional is promoted to an optional.

extension FilterExpression {
    /// Matches equal values, and treats nil as equal only to nil.
    public static func == (lhs: FilterExpression, rhs: Value) -> Filter {
        lhs.comparison(.equal, rhs.storedValue)
    }

    /// Matches equal values.
    ///
    /// If the right side is nil, the left side must have no value. For example, a value read
    /// through a to-one relationship that is nil matches.
    @_disfavoredOverload
    public static func == (lhs: FilterExpression, rhs: Value?) -> Filter {
        lhs.comparison(.equal, rhs?.storedValue ?? .null)
    }

    /// Matches equal values, and treats nil as equal only to nil.
    public static func == (lhs: FilterExpression, rhs: FilterExpression) -> Filter {
        lhs.comparison(.equal, rhs)
    }

    /// Matches equal values, and treats nil as equal only to nil.
    public static func == <Wrapped: AttributeValue>(
        lhs: FilterExpression, rhs: FilterExpression<Wrapped>
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.equal, rhs)
    }

    /// Matches equal values, and treats nil as equal only to nil.
    public static func == <Wrapped: AttributeValue>(
        lhs: FilterExpression<Wrapped>, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.equal, rhs)
    }

    /// Matches different values, and treats nil as equal only to nil.
    public static func != (lhs: FilterExpression, rhs: Value) -> Filter {
        lhs.comparison(.notEqual, rhs.storedValue)
    }

    /// Matches different values, and treats nil as equal only to nil.
    @_disfavoredOverload
    public static func != (lhs: FilterExpression, rhs: Value?) -> Filter {
        lhs.comparison(.notEqual, rhs?.storedValue ?? .null)
    }

    /// Matches different values, and treats nil as equal only to nil.
    public static func != (lhs: FilterExpression, rhs: FilterExpression) -> Filter {
        lhs.comparison(.notEqual, rhs)
    }

    /// Matches different values, and treats nil as equal only to nil.
    public static func != <Wrapped: AttributeValue>(
        lhs: FilterExpression, rhs: FilterExpression<Wrapped>
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.notEqual, rhs)
    }

    /// Matches different values, and treats nil as equal only to nil.
    public static func != <Wrapped: AttributeValue>(
        lhs: FilterExpression<Wrapped>, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.notEqual, rhs)
    }

}

extension FilterExpression where Value: Comparable {
    /// Matches values less than the right side.
    public static func < (lhs: FilterExpression, rhs: Value) -> Filter {
        lhs.comparison(.less, rhs.storedValue)
    }

    /// Matches values less than the right side.
    public static func < (lhs: FilterExpression, rhs: FilterExpression) -> Filter {
        lhs.comparison(.less, rhs)
    }

    /// Matches values less than or equal to the right side.
    public static func <= (lhs: FilterExpression, rhs: Value) -> Filter {
        lhs.comparison(.lessOrEqual, rhs.storedValue)
    }

    /// Matches values less than or equal to the right side.
    public static func <= (lhs: FilterExpression, rhs: FilterExpression) -> Filter {
        lhs.comparison(.lessOrEqual, rhs)
    }

    /// Matches values greater than the right side.
    public static func > (lhs: FilterExpression, rhs: Value) -> Filter {
        lhs.comparison(.greater, rhs.storedValue)
    }

    /// Matches values greater than the right side.
    public static func > (lhs: FilterExpression, rhs: FilterExpression) -> Filter {
        lhs.comparison(.greater, rhs)
    }

    /// Matches values greater than or equal to the right side.
    public static func >= (lhs: FilterExpression, rhs: Value) -> Filter {
        lhs.comparison(.greaterOrEqual, rhs.storedValue)
    }

    /// Matches values greater than or equal to the right side.
    public static func >= (lhs: FilterExpression, rhs: FilterExpression) -> Filter {
        lhs.comparison(.greaterOrEqual, rhs)
    }

}

extension FilterExpression {
    /// Matches non-nil values less than the right side.
    public static func < <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: Wrapped
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.less, rhs.storedValue)
    }

    /// Matches values less than the right side, if neither side is nil.
    public static func < <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.less, rhs)
    }

    /// Matches non-nil values less than the right side.
    public static func < <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression<Wrapped>
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.less, rhs)
    }

    /// Matches values less than the right side, unless the right side is nil.
    public static func < <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression<Wrapped>, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.less, rhs)
    }

    /// Matches non-nil values less than or equal to the right side.
    public static func <= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: Wrapped
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.lessOrEqual, rhs.storedValue)
    }

    /// Matches values less than or equal to the right side, if neither side is nil.
    public static func <= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.lessOrEqual, rhs)
    }

    /// Matches non-nil values less than or equal to the right side.
    public static func <= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression<Wrapped>
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.lessOrEqual, rhs)
    }

    /// Matches values less than or equal to the right side, unless the right side is nil.
    public static func <= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression<Wrapped>, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.lessOrEqual, rhs)
    }

    /// Matches non-nil values greater than the right side.
    public static func > <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: Wrapped
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greater, rhs.storedValue)
    }

    /// Matches values greater than the right side, if neither side is nil.
    public static func > <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greater, rhs)
    }

    /// Matches non-nil values greater than the right side.
    public static func > <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression<Wrapped>
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greater, rhs)
    }

    /// Matches values greater than the right side, unless the right side is nil.
    public static func > <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression<Wrapped>, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greater, rhs)
    }

    /// Matches non-nil values greater than or equal to the right side.
    public static func >= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: Wrapped
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greaterOrEqual, rhs.storedValue)
    }

    /// Matches values greater than or equal to the right side, if neither side is nil.
    public static func >= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greaterOrEqual, rhs)
    }

    /// Matches non-nil values greater than or equal to the right side.
    public static func >= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression<Wrapped>
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greaterOrEqual, rhs)
    }

    /// Matches values greater than or equal to the right side, unless the right side is nil.
    public static func >= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression<Wrapped>, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greaterOrEqual, rhs)
    }

}
