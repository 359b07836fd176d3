public import FoundationEssentials

/// A type whose values can be added up: numbers, and the Optional of each.
///
/// ```swift
/// Team.where { $0.members.sum { $0.salary } > 100_000 }
/// ```
///
/// `UInt` and `UInt64` are none: what is above `Int64.max` is kept as bytes.
public protocol SummableValue: AttributeValue {
    /// The type of a sum: `Int` of integers, `Double` of `Float` and `Double`, `Decimal` of `Decimal`.
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
    /// `Double`.
    public typealias Sum = Double
}

extension Float: SummableValue {
    /// `Double`.
    public typealias Sum = Double
}

extension Decimal: SummableValue {
    /// `Decimal`.
    public typealias Sum = Decimal
}

extension Optional: SummableValue where Wrapped: SummableValue {
    /// That of what is wrapped: nil does not count.
    public typealias Sum = Wrapped.Sum
}
