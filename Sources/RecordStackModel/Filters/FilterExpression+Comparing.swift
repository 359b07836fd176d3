// One body each: an overload for a value and for another expression. `==` of optional and other values goes
// through the promotion of what is given.

extension FilterExpression {
    /// Equal values; nil equals nil.
    public static func == (lhs: FilterExpression, rhs: Value) -> Filter {
        lhs.comparison(.equal, rhs.storedValue)
    }

    /// Equal values; nil equals no value, except where a to-one relationship on the path is nil.
    @_disfavoredOverload
    public static func == (lhs: FilterExpression, rhs: Value?) -> Filter {
        lhs.comparison(.equal, rhs?.storedValue ?? .null)
    }

    /// Equal values; nil equals nil.
    public static func == (lhs: FilterExpression, rhs: FilterExpression) -> Filter {
        lhs.comparison(.equal, rhs)
    }

    /// Equal values; nil equals nil.
    public static func == <Wrapped: AttributeValue>(
        lhs: FilterExpression, rhs: FilterExpression<Wrapped>
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.equal, rhs)
    }

    /// Equal values; nil equals nil.
    public static func == <Wrapped: AttributeValue>(
        lhs: FilterExpression<Wrapped>, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.equal, rhs)
    }

    /// Different values; nil differs from every value.
    public static func != (lhs: FilterExpression, rhs: Value) -> Filter {
        lhs.comparison(.notEqual, rhs.storedValue)
    }

    /// Different values; nil differs from every value.
    @_disfavoredOverload
    public static func != (lhs: FilterExpression, rhs: Value?) -> Filter {
        lhs.comparison(.notEqual, rhs?.storedValue ?? .null)
    }

    /// Different values; nil differs from every value.
    public static func != (lhs: FilterExpression, rhs: FilterExpression) -> Filter {
        lhs.comparison(.notEqual, rhs)
    }

    /// Different values; nil differs from every value.
    public static func != <Wrapped: AttributeValue>(
        lhs: FilterExpression, rhs: FilterExpression<Wrapped>
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.notEqual, rhs)
    }

    /// Different values; nil differs from every value.
    public static func != <Wrapped: AttributeValue>(
        lhs: FilterExpression<Wrapped>, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.notEqual, rhs)
    }

}

extension FilterExpression where Value: Comparable {
    /// Smaller values.
    public static func < (lhs: FilterExpression, rhs: Value) -> Filter {
        lhs.comparison(.less, rhs.storedValue)
    }

    /// Smaller values.
    public static func < (lhs: FilterExpression, rhs: FilterExpression) -> Filter {
        lhs.comparison(.less, rhs)
    }

    /// Smaller or equal values.
    public static func <= (lhs: FilterExpression, rhs: Value) -> Filter {
        lhs.comparison(.lessOrEqual, rhs.storedValue)
    }

    /// Smaller or equal values.
    public static func <= (lhs: FilterExpression, rhs: FilterExpression) -> Filter {
        lhs.comparison(.lessOrEqual, rhs)
    }

    /// Larger values.
    public static func > (lhs: FilterExpression, rhs: Value) -> Filter {
        lhs.comparison(.greater, rhs.storedValue)
    }

    /// Larger values.
    public static func > (lhs: FilterExpression, rhs: FilterExpression) -> Filter {
        lhs.comparison(.greater, rhs)
    }

    /// Larger or equal values.
    public static func >= (lhs: FilterExpression, rhs: Value) -> Filter {
        lhs.comparison(.greaterOrEqual, rhs.storedValue)
    }

    /// Larger or equal values.
    public static func >= (lhs: FilterExpression, rhs: FilterExpression) -> Filter {
        lhs.comparison(.greaterOrEqual, rhs)
    }

}

extension FilterExpression {
    /// Smaller values; nil is none of them.
    public static func < <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: Wrapped
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.less, rhs.storedValue)
    }

    /// Smaller values; nil is none of them, and has none.
    public static func < <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.less, rhs)
    }

    /// Smaller values; nil is none of them.
    public static func < <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression<Wrapped>
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.less, rhs)
    }

    /// Smaller values; nil has none.
    public static func < <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression<Wrapped>, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.less, rhs)
    }

    /// Smaller or equal values; nil is none of them.
    public static func <= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: Wrapped
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.lessOrEqual, rhs.storedValue)
    }

    /// Smaller or equal values; nil is none of them, and has none.
    public static func <= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.lessOrEqual, rhs)
    }

    /// Smaller or equal values; nil is none of them.
    public static func <= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression<Wrapped>
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.lessOrEqual, rhs)
    }

    /// Smaller or equal values; nil has none.
    public static func <= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression<Wrapped>, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.lessOrEqual, rhs)
    }

    /// Larger values; nil is none of them.
    public static func > <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: Wrapped
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greater, rhs.storedValue)
    }

    /// Larger values; nil is none of them, and has none.
    public static func > <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greater, rhs)
    }

    /// Larger values; nil is none of them.
    public static func > <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression<Wrapped>
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greater, rhs)
    }

    /// Larger values; nil has none.
    public static func > <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression<Wrapped>, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greater, rhs)
    }

    /// Larger or equal values; nil is none of them.
    public static func >= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: Wrapped
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greaterOrEqual, rhs.storedValue)
    }

    /// Larger or equal values; nil is none of them, and has none.
    public static func >= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greaterOrEqual, rhs)
    }

    /// Larger or equal values; nil is none of them.
    public static func >= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression, rhs: FilterExpression<Wrapped>
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greaterOrEqual, rhs)
    }

    /// Larger or equal values; nil has none.
    public static func >= <Wrapped: AttributeValue & Comparable>(
        lhs: FilterExpression<Wrapped>, rhs: FilterExpression
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greaterOrEqual, rhs)
    }

}
