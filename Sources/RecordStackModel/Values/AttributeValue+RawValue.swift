/// An enum with a raw value is kept as the raw value:
///
/// ```swift
/// enum Status: String, CaseIterable, AttributeValue {
///     case draft, published
/// }
///
/// @Attribute var status: Status = .draft
/// ```
///
/// Its placeholder is the first case; an enum that is not `CaseIterable` declares one. A stored value
/// that is none of the cases makes the fetch throw ``RecordStackError/Code/corrupt``.
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
