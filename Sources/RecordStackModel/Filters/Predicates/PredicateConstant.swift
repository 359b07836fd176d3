import FoundationEssentials

/// A value that a predicate has captured or that is written in it.
struct PredicateConstant {
    let value: Any
    /// The value as an attribute would store it; nil if no attribute could.
    let stored: StoredValue?

    init<Value>(_ value: Value) {
        self.value = value
        if let type = Value.self as? any AttributeValue.Type {
            stored = Self.stored(value, as: type)
        } else if let text = value as? any StringProtocol {
            stored = .text(String(text))
        } else if let character = value as? Character {
            stored = .text(String(character))
        } else {
            stored = Self.isNil(value) ? .null : nil
        }
    }

    private static func stored<Value: AttributeValue>(
        _ value: Any, as type: Value.Type
    ) -> StoredValue? { (value as? Value)?.storedValue }

    private static func isNil(_ value: Any) -> Bool {
        guard let optional = value as? any OptionalValue else { return false }
        return optional.isNil
    }

    var objectID: ManagedObjectID? { value as? ManagedObjectID }
}

/// An Optional of any type.
private protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    fileprivate var isNil: Bool {
        if case .none = self { true } else { false }
    }
}

/// A range of any values.
protocol RangeConstant {
    /// The range as a part of a predicate; nil if no attribute can have its values.
    var predicateRange: PredicateRange? { get }
}

extension RangeConstant {
    fileprivate func range<Bound>(
        _ lower: Bound?, _ upper: Bound?, isClosed: Bool
    ) -> PredicateRange? {
        guard Bound.self is any AttributeValue.Type else { return nil }
        func value(_ bound: Bound) -> PredicateValue? {
            PredicateConstant(bound).stored.map { PredicateValue(.value($0)) }
        }
        return PredicateRange(
            lower: lower.flatMap(value), upper: upper.flatMap(value), isClosed: isClosed)
    }
}

extension Range: RangeConstant {
    var predicateRange: PredicateRange? { range(lowerBound, upperBound, isClosed: false) }
}

extension ClosedRange: RangeConstant {
    var predicateRange: PredicateRange? { range(lowerBound, upperBound, isClosed: true) }
}

extension PartialRangeFrom: RangeConstant {
    var predicateRange: PredicateRange? { range(lowerBound, nil, isClosed: true) }
}

extension PartialRangeThrough: RangeConstant {
    var predicateRange: PredicateRange? { range(nil, upperBound, isClosed: true) }
}

extension PartialRangeUpTo: RangeConstant {
    var predicateRange: PredicateRange? { range(nil, upperBound, isClosed: false) }
}
