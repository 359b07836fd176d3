/// An enum whose values are stored as their raw values.
///
/// ```swift
/// enum Status: String, EnumAttributeValue {
///     case draft, published
/// }
///
/// @Attribute var status: Status = .draft
/// ```
///
/// The placeholder is the first case, unless the enum declares another placeholder. If a stored
/// value matches no case, the fetch throws ``RecordStackError/Code/corrupt``.
///
/// If you rename a case, its stored value changes. To keep the stored value, declare it as the raw
/// value: `case live = "published"`.
public protocol EnumAttributeValue: AttributeValue, CaseIterable, RawRepresentable
where RawValue: AttributeValue {}

/// Stores a value as its raw value. The type can be an enum or any other type:
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

    /// The stored form of the raw value.
    @inlinable public var storedValue: StoredValue { rawValue.storedValue }

    /// Creates a value from its raw value, or returns nil if no value has this raw value.
    @inlinable
    public init?(storedValue: StoredValue) {
        guard let raw = RawValue(storedValue: storedValue) else { return nil }
        self.init(rawValue: raw)
    }

    /// Appends the raw value to a row.
    @inlinable
    public func write(to writer: inout CellWriter) { rawValue.write(to: &writer) }
}

extension AttributeValue where Self: RawRepresentable & CaseIterable {
    /// The first case.
    @inlinable public static var placeholder: Self {
        // A type without a case has no values, so no object can have an attribute of the type.
        allCases.first!
    }
}
