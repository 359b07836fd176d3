public import FoundationEssentials

/// A type whose values can be added: a number, or an Optional of a number.
///
/// ```swift
/// Team.where { $0.members.sum { $0.salary } > 100_000 }
/// ```
///
/// `UInt` and `UInt64` do not conform, because their values above `Int64.max` are stored as bytes.
public protocol SummableValue: AttributeValue {
    /// The type of a sum.
    ///
    /// It is `Int` for integers, `Double` for `Float` and `Double`, and `Decimal` for `Decimal`.
    associatedtype Sum: AttributeValue = Int
}

extension Int: SummableValue {}
extension Int8: SummableValue {}
extension Int16: SummableValue {}
extension Int32: SummableValue {}
extension Int64: SummableValue {}
extension UInt8: SummableValue {}
extension UInt16: SummableValue {}
extension UInt32: SummableValue {}

extension Double: SummableValue {
    /// The type of a sum, which is `Double`.
    public typealias Sum = Double
}

extension Float: SummableValue {
    /// The type of a sum, which is `Double`.
    public typealias Sum = Double
}

extension Decimal: SummableValue {
    /// The type of a sum, which is `Decimal`.
    public typealias Sum = Decimal
}

extension Optional: SummableValue where Wrapped: SummableValue {
    /// The type of a sum of the non-nil values.
    public typealias Sum = Wrapped.Sum
}
