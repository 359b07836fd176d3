/// A type whose values an attribute can hold.
///
/// `Bool`, all integers of up to 64 bits, `Float`, `Double`, `Decimal`, `String`, `Date`, `Data`,
/// `UUID` and `URL` conform. Enums and other types with one of these as their raw value conform if
/// you declare the conformance. Codable types conform if you declare ``CodableAttributeValue``.
/// Arrays of Codable attribute values conform, and so do dictionaries from text to such values, and
/// the Optional of every conforming type. For any other type, declare how it is stored:
///
/// ```swift
/// struct Celsius: AttributeValue {
///     var degrees: Double
///
///     static let attributeType = AttributeType(name: "Celsius", storage: .real)
///     static let placeholder = Celsius(degrees: 0)
///     var storedValue: StoredValue { .storedReal(degrees) }
///     init?(storedValue: StoredValue) {
///         guard case .real(let degrees) = storedValue else { return nil }
///         self.init(degrees: degrees)
///     }
///     init(degrees: Double) { self.degrees = degrees }
/// }
/// ```
///
/// RecordStack calls the conversions while it reads and writes properties, on any thread. They must
/// convert the value and access nothing else.
///
/// An attribute counts as changed if its ``storedValue`` differs; `==` does not matter.
public protocol AttributeValue: FormatArgument, Sendable, Hashable {
    /// The type's name and storage.
    static var attributeType: AttributeType { get }

    /// Whether null is one of the values, which is true for `Optional` only.
    static var isOptional: Bool { get }

    /// The value that an attribute without a value reads as.
    ///
    /// Examples are a required attribute that was never set, and an attribute of an object
    /// whose row cannot be loaded.
    static var placeholder: Self { get }

    /// The value in the form in which the store keeps it.
    var storedValue: StoredValue { get }

    /// Creates the value from its stored form; nil if no value of the type has this form.
    init?(storedValue: StoredValue)

    /// Reads the value from a row.
    ///
    /// The default implementation uses ``init(storedValue:)``.
    static func read(_ row: borrowing RowCells, at slot: Int) -> Self

    /// Writes the value into a row.
    ///
    /// The default implementation uses ``storedValue``.
    func write(to writer: inout CellWriter)
}

extension AttributeValue {
    /// False, because only `Optional` has null among its values.
    @inlinable
    public static var isOptional: Bool { false }

    /// Reads the value by ``init(storedValue:)``.
    ///
    /// A stored value that does not convert reads as the placeholder, and makes the fetch throw a
    /// ``RecordStackError/Code/corrupt`` error.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Self {
        if let value = Self(storedValue: row.storedValue(at: slot)) { return value }
        row.reportUnexpectedValue(at: slot)
        return placeholder
    }

    /// Writes ``storedValue`` into a row.
    @inlinable
    public func write(to writer: inout CellWriter) {
        writer.append(storedValue)
    }
}
