/// An enum whose values are kept as their raw values.
///
/// ```swift
/// enum Status: String, EnumAttributeValue {
///     case draft, published
/// }
///
/// @Attribute var status: Status = .draft
/// ```
///
/// Its placeholder is the first case, if it declares no other one. A stored value that is none of the cases makes the
/// fetch throw ``RecordStackError/Code/corrupt``.
///
/// Renaming a case changes what is stored, unless the raw value stays as it was: `case live = "published"`.
public protocol EnumAttributeValue: AttributeValue, CaseIterable, RawRepresentable
where RawValue: AttributeValue {}

/// A type with a raw value, an enum or not, is kept as the raw value:
///
/// ```swift
/// struct Celsius: RawRepresentable, AttributeValue {
///     var rawValue: Double
///
///     static let placeholder = Celsius(rawValue: 0)
/// }
/// ```
extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
    /// The raw value's type.
    @inlinable public static var attributeType: AttributeType {
        RawValue.attributeType.withSomeValuesOnly
    }

    /// The raw value as it is stored.
    @inlinable public var storedValue: StoredValue { rawValue.storedValue }

    /// The case of a raw value, or nil where there is none.
    @inlinable
    public init?(storedValue: StoredValue) {
        guard let raw = RawValue(storedValue: storedValue) else { return nil }
        self.init(rawValue: raw)
    }

    /// Writes the raw value.
    @inlinable
    public func write(to writer: inout CellWriter) { rawValue.write(to: &writer) }
}

extension AttributeValue where Self: RawRepresentable & CaseIterable {
    /// The first case.
    @inlinable public static var placeholder: Self {
        // A type without a case has no values, and so no attributes of its objects.
        allCases.first!
    }
}
