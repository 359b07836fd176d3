/// A type whose values an attribute can hold.
///
/// These types conform: `Bool`, all integers of up to 64 bits, `Float`, `Double`, `Decimal`,
/// `String`, `Date`, `Data`, `UUID`, `URL`, and the Optional of each conforming type. An enum or
/// other type whose raw value has one of these types conforms if you declare the conformance. A
/// Codable type conforms if you declare ``CodableAttributeValue``. An array conforms if its
/// elements are Codable and conform, too. A dictionary with string keys conforms under the same
/// condition for its values. For any other type, declare how it is stored:
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
/// RecordStack calls the conversions on any thread while it reads and writes properties. They must
/// only convert the value, and not access anything else.
///
/// An attribute has changed if the ``storedValue`` of the new value differs from that of the old
/// value. RecordStack does not compare the values with `==`.
public protocol AttributeValue: FormatArgument, Sendable, Hashable {
    /// The type's name and storage.
    static var attributeType: AttributeType { get }

    /// Whether null is a value of the type, which is true only for `Optional`.
    static var isOptional: Bool { get }

    /// The value that is read if the attribute has no value.
    ///
    /// Examples are a required attribute that the program has not set, and an attribute of an
    /// object whose row cannot be loaded.
    static var placeholder: Self { get }

    /// The value in its stored form.
    var storedValue: StoredValue { get }

    /// Creates the value from its stored form, or returns nil if no value has this form.
    init?(storedValue: StoredValue)

    /// Reads the value from a row.
    ///
    /// The default implementation uses ``init(storedValue:)``.
    static func read(_ row: borrowing RowCells, at slot: Int) -> Self

    /// Appends the value to a row.
    ///
    /// The default implementation uses ``storedValue``.
    func write(to writer: inout CellWriter)
}

extension AttributeValue {
    /// False, because null is a value of `Optional` only.
    @inlinable
    public static var isOptional: Bool { false }

    /// Reads the value with ``init(storedValue:)``.
    ///
    /// If a stored value cannot be converted, the method returns the placeholder, and the fetch
    /// throws a ``RecordStackError/Code/corrupt`` error.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Self {
        if let value = Self(storedValue: row.storedValue(at: slot)) { return value }
        row.reportUnexpectedValue(at: slot)
        return placeholder
    }

    /// Appends ``storedValue`` to a row.
    @inlinable
    public func write(to writer: inout CellWriter) {
        writer.append(storedValue)
    }
}
