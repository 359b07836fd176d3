public import FoundationEssentials

extension FilterExpression where Value: SummableValue {
    /// Returns the sum of two expressions.
    ///
    /// If an integer result does not fit into 64 bits, the sum is a floating-point number. If
    /// either side is nil, the sum is nil.
    public static func + (lhs: FilterExpression, rhs: FilterExpression) -> FilterExpression {
        lhs.combined(.add, rhs)
    }

    /// Returns the sum of an expression and a value.
    public static func + (lhs: FilterExpression, rhs: Value) -> FilterExpression {
        lhs.combined(.add, FilterExpression(rhs))
    }

    /// Returns the difference of two expressions.
    public static func - (lhs: FilterExpression, rhs: FilterExpression) -> FilterExpression {
        lhs.combined(.subtract, rhs)
    }

    /// Returns the difference of an expression and a value.
    public static func - (lhs: FilterExpression, rhs: Value) -> FilterExpression {
        lhs.combined(.subtract, FilterExpression(rhs))
    }

    /// Returns the product of two expressions.
    public static func * (lhs: FilterExpression, rhs: FilterExpression) -> FilterExpression {
        lhs.combined(.multiply, rhs)
    }

    /// Returns the product of an expression and a value.
    public static func * (lhs: FilterExpression, rhs: Value) -> FilterExpression {
        lhs.combined(.multiply, FilterExpression(rhs))
    }

    /// Returns the quotient of two expressions.
    ///
    /// The quotient of two integers is an integer, rounded toward zero. Division by zero gives nil.
    public static func / (lhs: FilterExpression, rhs: FilterExpression) -> FilterExpression {
        lhs.combined(.divide, rhs)
    }

    /// Returns the quotient of an expression and a value.
    public static func / (lhs: FilterExpression, rhs: Value) -> FilterExpression {
        lhs.combined(.divide, FilterExpression(rhs))
    }

    /// Returns the number with the opposite sign, or nil for nil.
    public static prefix func - (operand: FilterExpression) -> FilterExpression {
        let zero: StoredValue =
            switch Value.attributeType.storage {
            case .real: .real(0)
            case .text: .text("0")
            case .integer, .blob: .integer(0)
            }
        return operand.map { .arithmetic(.subtract, .value(zero), $0) }
    }

    /// The absolute value of the number.
    public var magnitude: FilterExpression { map { .function(.abs, $0) } }

    /// The number as a `Double`, for divisions that keep the fraction.
    public var asDouble: FilterExpression<Double> { map { .function(.real, $0) } }

    /// Returns the number rounded down: −2 for −1.5.
    public func roundedDown() -> FilterExpression { map { .function(.floor, $0) } }

    /// Returns the number rounded up: −1 for −1.5.
    public func roundedUp() -> FilterExpression { map { .function(.ceiling, $0) } }
}

extension FilterExpression where Value: FixedWidthInteger {
    /// Returns the remainder of an integer division, with the sign of the dividend.
    ///
    /// Division by zero gives nil.
    public static func % (lhs: FilterExpression, rhs: Value) -> FilterExpression {
        lhs.combined(.modulo, FilterExpression(rhs))
    }

    /// Returns the remainder of an integer division, with the sign of the dividend.
    ///
    /// Division by zero gives nil.
    public static func % (lhs: FilterExpression, rhs: FilterExpression) -> FilterExpression {
        lhs.combined(.modulo, rhs)
    }
}

extension FilterExpression {
    /// Returns the remainder of an integer division, with the sign of the dividend.
    ///
    /// The remainder is nil if an operand is nil or the divisor is zero.
    public static func % <Wrapped: FixedWidthInteger & AttributeValue>(
        lhs: FilterExpression, rhs: Wrapped
    ) -> FilterExpression where Value == Wrapped? {
        lhs.combined(.modulo, FilterExpression(rhs))
    }

    /// Returns the remainder of an integer division, with the sign of the dividend.
    ///
    /// The remainder is nil if an operand is nil or the divisor is zero.
    public static func % <Wrapped: FixedWidthInteger & AttributeValue>(
        lhs: FilterExpression, rhs: FilterExpression
    ) -> FilterExpression where Value == Wrapped? {
        lhs.combined(.modulo, rhs)
    }
}

/// The type of a date in a filter: `Date` or `Date?`.
public protocol DateValue: AttributeValue {}

extension Date: DateValue {}
extension Optional: DateValue where Wrapped == Date {}

extension FilterExpression where Value: DateValue {
    /// Returns the date that is the given number of seconds later.
    public static func + (lhs: FilterExpression, rhs: TimeInterval) -> FilterExpression {
        lhs.combined(.add, FilterExpression<Double>(rhs))
    }

    /// Returns the date that is the given number of seconds earlier.
    public static func - (lhs: FilterExpression, rhs: TimeInterval) -> FilterExpression {
        lhs.combined(.subtract, FilterExpression<Double>(rhs))
    }

    /// Returns the number of seconds from the right date to the left date.
    public static func - (
        lhs: FilterExpression, rhs: FilterExpression<some DateValue>
    ) -> FilterExpression<Double?> { lhs.combined(.subtract, rhs) }

    /// Returns the number of seconds from the right date to the left date.
    public static func - (lhs: FilterExpression, rhs: Date) -> FilterExpression<Double?> {
        lhs.combined(.subtract, FilterExpression<Date>(rhs))
    }
}
