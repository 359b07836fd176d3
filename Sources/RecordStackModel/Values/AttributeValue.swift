/// A type whose values an attribute can hold.
///
/// These conform: `Bool`, all integers of up to 64 bits, `Float`, `Double`, `Decimal`, `String`, `Date`,
/// `Data`, `UUID`, `URL`; enums and other types with a raw value of those, when they say so; types that
/// say they are ``CodableAttributeValue``; arrays, and dictionaries with text for keys, of Codable ones;
/// and the Optional of each. Any other type of your own conforms by saying how it is stored:
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
/// The conversions are called in the middle of reading and writing properties, on any thread: they
/// make one value of the other and touch nothing else.
///
/// Whether an attribute was changed is decided by ``storedValue``, not by `==`.
public protocol AttributeValue: FormatArgument, Sendable, Hashable {
    /// The type's name and storage.
    static var attributeType: AttributeType { get }

    /// Whether null is one of the values: true for `Optional` alone.
    static var isOptional: Bool { get }

    /// What reads as the value where there is none: a required attribute that was never set, or
    /// an object whose row cannot be loaded.
    static var placeholder: Self { get }

    /// The value as the store keeps it.
    var storedValue: StoredValue { get }

    /// The value that was stored, or nil where the stored one cannot be such a value.
    init?(storedValue: StoredValue)

    /// Reads the value out of a row. The default goes through ``init(storedValue:)``.
    static func read(_ row: borrowing RowCells, at slot: Int) -> Self

    /// Writes the value into a row. The default goes through ``storedValue``.
    func write(to writer: inout CellWriter)
}

extension AttributeValue {
    /// False: only `Optional` has null among its values.
    @inlinable
    public static var isOptional: Bool { false }

    /// Reads through ``init(storedValue:)``; what does not convert reads as the placeholder and
    /// makes the fetch throw a ``RecordStackError/Code/corrupt`` error.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Self {
        if let value = Self(storedValue: row.storedValue(at: slot)) { return value }
        row.reportUnexpectedValue(at: slot)
        return placeholder
    }

    /// Writes ``storedValue``.
    @inlinable
    public func write(to writer: inout CellWriter) {
        writer.append(storedValue)
    }
}
