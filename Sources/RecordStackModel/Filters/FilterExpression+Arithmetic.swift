public import FoundationEssentials

extension FilterExpression where Value: SummableValue {
    /// The sum. Integers whose result does not fit into 64 bits go on as real numbers; nil gives nil.
    public static func + (lhs: FilterExpression, rhs: FilterExpression) -> FilterExpression {
        lhs.combined(.add, rhs)
    }

    /// The sum with a value.
    public static func + (lhs: FilterExpression, rhs: Value) -> FilterExpression {
        lhs.combined(.add, FilterExpression(rhs))
    }

    /// The difference.
    public static func - (lhs: FilterExpression, rhs: FilterExpression) -> FilterExpression {
        lhs.combined(.subtract, rhs)
    }

    /// The difference from a value.
    public static func - (lhs: FilterExpression, rhs: Value) -> FilterExpression {
        lhs.combined(.subtract, FilterExpression(rhs))
    }

    /// The product.
    public static func * (lhs: FilterExpression, rhs: FilterExpression) -> FilterExpression {
        lhs.combined(.multiply, rhs)
    }

    /// The product with a value.
    public static func * (lhs: FilterExpression, rhs: Value) -> FilterExpression {
        lhs.combined(.multiply, FilterExpression(rhs))
    }

    /// The quotient, of integers its whole part; a division by zero gives nil.
    public static func / (lhs: FilterExpression, rhs: FilterExpression) -> FilterExpression {
        lhs.combined(.divide, rhs)
    }

    /// The quotient by a value.
    public static func / (lhs: FilterExpression, rhs: Value) -> FilterExpression {
        lhs.combined(.divide, FilterExpression(rhs))
    }

    /// The number with the other sign: of −5, 5; of nil, nil.
    public static prefix func - (operand: FilterExpression) -> FilterExpression {
        let zero: StoredValue =
            switch Value.attributeType.storage {
            case .real: .real(0)
            case .text: .text("0")
            case .integer, .blob: .integer(0)
            }
        return operand.map { .arithmetic(.subtract, .value(zero), $0) }
    }

    /// The number without its sign.
    public var magnitude: FilterExpression { map { .function(.abs, $0) } }

    /// The number as a `Double`, so that a division has a fraction.
    public var asDouble: FilterExpression<Double> { map { .function(.real, $0) } }

    /// The next integer of the same size or less: of −1.5, −2.
    public func roundedDown() -> FilterExpression { map { .function(.floor, $0) } }

    /// The next integer of the same size or more: of −1.5, −1.
    public func roundedUp() -> FilterExpression { map { .function(.ceiling, $0) } }
}

extension FilterExpression where Value: FixedWidthInteger {
    /// What an integer division leaves, with the sign of the divided; of a division by zero nil.
    public static func % (lhs: FilterExpression, rhs: Value) -> FilterExpression {
        lhs.combined(.modulo, FilterExpression(rhs))
    }

    /// What an integer division leaves.
    public static func % (lhs: FilterExpression, rhs: FilterExpression) -> FilterExpression {
        lhs.combined(.modulo, rhs)
    }
}

extension FilterExpression {
    /// What an integer division leaves, with the sign of the divided; of nil and of a division by zero nil.
    public static func % <Wrapped: FixedWidthInteger & AttributeValue>(
        lhs: FilterExpression, rhs: Wrapped
    ) -> FilterExpression where Value == Wrapped? {
        lhs.combined(.modulo, FilterExpression(rhs))
    }

    /// What an integer division leaves; of nil and of a division by zero nil.
    public static func % <Wrapped: FixedWidthInteger & AttributeValue>(
        lhs: FilterExpression, rhs: FilterExpression
    ) -> FilterExpression where Value == Wrapped? {
        lhs.combined(.modulo, rhs)
    }
}

/// A moment in a filter: `Date` and `Date?`.
public protocol DateValue: AttributeValue {}

extension Date: DateValue {}
extension Optional: DateValue where Wrapped == Date {}

extension FilterExpression where Value: DateValue {
    /// A moment so many seconds later.
    public static func + (lhs: FilterExpression, rhs: TimeInterval) -> FilterExpression {
        lhs.combined(.add, FilterExpression<Double>(rhs))
    }

    /// A moment so many seconds earlier.
    public static func - (lhs: FilterExpression, rhs: TimeInterval) -> FilterExpression {
        lhs.combined(.subtract, FilterExpression<Double>(rhs))
    }

    /// The seconds from another moment to this one.
    public static func - (
        lhs: FilterExpression, rhs: FilterExpression<some DateValue>
    ) -> FilterExpression<Double?> { lhs.combined(.subtract, rhs) }

    /// The seconds from a moment to this one.
    public static func - (lhs: FilterExpression, rhs: Date) -> FilterExpression<Double?> {
        lhs.combined(.subtract, FilterExpression<Date>(rhs))
    }
}
