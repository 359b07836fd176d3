/// The allowed range of an attribute, as declared.
struct RangeRule<Bound: AttributeValue & Comparable>: Sendable {
    private let lower: Bound?
    private let upper: Bound?
    private let includesUpper: Bool
    /// Returns true if the range contains a value, in the `Comparable` order of the type.
    private let contains: @Sendable (Bound) -> Bool

    init<Bounds: RangeExpression<Bound> & Sendable>(_ bounds: Bounds) {
        contains = { bounds.contains($0) }
        switch bounds {
        case let range as ClosedRange<Bound>:
            (lower, upper, includesUpper) = (range.lowerBound, range.upperBound, true)
        case let range as Range<Bound>:
            (lower, upper, includesUpper) = (range.lowerBound, range.upperBound, false)
        case let range as PartialRangeFrom<Bound>:
            (lower, upper, includesUpper) = (range.lowerBound, nil, true)
        case let range as PartialRangeThrough<Bound>:
            (lower, upper, includesUpper) = (nil, range.upperBound, true)
        case let range as PartialRangeUpTo<Bound>:
            (lower, upper, includesUpper) = (nil, range.upperBound, false)
        default: (lower, upper, includesUpper) = (nil, nil, true)
        }
    }

    func check(
        of attribute: CheckedAttribute, _ message: String?
    ) throws(RuleProblem) -> AttributeCheck {
        let isSame = attribute.holds(Bound.self)
        // The bounds are unknown here only for a custom range type.
        if isSame && (attribute.type.hasSomeValuesOnly || lower == nil && upper == nil) {
            return rule(lower?.storedValue, upper?.storedValue).check(of: attribute, message) {
                // A value of another type is reported when it is read.
                [contains] in Bound(storedValue: $0).map(contains) ?? true
            }
        }
        if lower == nil && upper == nil { throw problem(of: attribute) }
        let rule = rule(try stored(lower, in: attribute), try stored(upper, in: attribute))
        let collation = attribute.type.collation
        return rule.check(of: attribute, message) { value in
            guard case .range(let range) = rule else { return true }
            return range.contains(value, collation)
        }
    }

    private func rule(_ low: StoredValue?, _ high: StoredValue?) -> ValidationFailure.Rule {
        .range(ValueRange(lowerBound: low, upperBound: high, includesUpperBound: includesUpper))
    }

    /// Returns a bound as a value of the attribute.
    private func stored(
        _ bound: Bound?, in attribute: CheckedAttribute
    ) throws(RuleProblem) -> StoredValue? {
        guard let bound else { return nil }
        if attribute.holds(Bound.self) { return bound.storedValue }
        if let number = NumberKind.convert(bound, to: attribute.type) { return number }
        throw problem(of: attribute)
    }

    private func problem(of attribute: CheckedAttribute) -> RuleProblem {
        let name = attribute.typeName
        if attribute.type == .string {
            return RuleProblem(
                text:
                    "is of type \(name), and the bounds of its .range are of type \(Bound.self). Write "
                    + ".length(…) for the number of its characters, or bounds that are text.")
        }
        return RuleProblem(
            text:
                "is of type \(name), and the bounds of its .range are of type \(Bound.self). Write bounds "
                + "of type \(name), or a rule of your own: .validated(\"…\") { (value: \(name)) in … }."
        )
    }
}

/// The kind of number of a type's values.
enum NumberKind {
    case integer, real, decimal

    init?(_ type: AttributeType) {
        if type.storage == .integer && type.name != AttributeType.bool.name {
            self = .integer
        } else if [AttributeType.double.name, AttributeType.float.name].contains(type.name) {
            self = .real
        } else if type.name == AttributeType.decimal.name {
            self = .decimal
        } else {
            return nil
        }
    }

    /// Returns a number for comparison with values of another type; nil if that is impossible.
    static func convert<Value: AttributeValue>(
        _ number: Value, to type: AttributeType
    ) -> StoredValue? {
        guard let from = NumberKind(Value.attributeType), let kind = NumberKind(type) else {
            return nil
        }
        let stored = number.storedValue
        switch (from, kind) {
        case (.integer, .integer), (.decimal, .decimal): return stored
        case (.integer, .real), (.real, .real):
            // A Float of 0.3 is a little more than a Double of 0.3.
            let isFloat = type.name == AttributeType.float.name
            return real(stored).map { .real(isFloat ? Double(Float($0)) : $0) }
        case (.real, .integer): return real(stored).map(integer)
        case (_, .decimal): return decimal(stored)
        case (.decimal, _): return nil
        }
    }

    private static func real(_ stored: StoredValue) -> Double? {
        if let value = Double(storedValue: stored) { return value.isFinite ? value : nil }
        // An unsigned integer above Int64.max is stored as bytes.
        return UInt64(storedValue: stored).map(Double.init)
    }

    /// Returns a real for comparison with integers.
    ///
    /// Integers above `Int64.max` are stored as bytes, so such a real is compared with bytes.
    private static func integer(_ value: Double) -> StoredValue {
        if value < 9_223_372_036_854_775_808 { return .real(value) }
        // No unsigned integer has nine bytes, so this value comes after all of them.
        return UInt64(exactly: value)?.storedValue ?? .blob([UInt8](repeating: .max, count: 9))
    }
}
