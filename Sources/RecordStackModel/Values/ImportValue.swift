public import FoundationEssentials

/// A value of an import's source before it is converted.
///
/// Hooks and import transforms receive and return values of this type.
///
/// ```swift
/// @Attribute(.importTransform { value in value == "N/A" ? .null : value }) var rating: Double?
/// ```
///
/// You can write values as literals: `["name": "Ann", "age": 30, "tags": ["a", "b"]]`.
public enum ImportValue: Sendable, Hashable {
    /// An explicit null.
    ///
    /// A missing key is not a null: it has no value at all.
    case null
    /// True or false.
    case bool(Bool)
    /// A number as the source writes it, with all its digits: `12`, `0.10`, `1e3`.
    case number(String)
    /// Text.
    case string(String)
    /// A date, which JSON cannot contain.
    ///
    /// It needs no date format.
    case date(Date)
    /// Bytes, which JSON cannot contain.
    case data(Data)
    /// An array of values.
    case array([ImportValue])
    /// An object with keys and values, where keys are compared by their bytes.
    case object(ImportObject)
}

extension ImportValue {
    /// Creates a number from an integer.
    public static func number(_ value: some BinaryInteger) -> ImportValue { .number("\(value)") }

    /// Creates a number from a double.
    ///
    /// JSON has no NaN and no infinities. They cannot be converted to an attribute value.
    public static func number(_ value: Double) -> ImportValue { .number("\(value)") }

    /// Whether the value is ``null``.
    public var isNull: Bool { self == .null }

    /// The content of a ``bool(_:)``, or nil for any other value.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number if it is written as a 64-bit integer, or nil for any other value.
    public var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }

    /// The double that is nearest to a number, or nil if the value is not a number.
    public var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }

    /// The content of a ``string(_:)``, or nil for any other value.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements of an array, or nil for any other value.
    public var array: [ImportValue]? { if case .array(let value) = self { value } else { nil } }

    /// The content of an ``object(_:)``, or nil for any other value.
    public var object: ImportObject? { if case .object(let value) = self { value } else { nil } }

    /// The value under a key, or nil if the value is not an object with this key.
    ///
    /// Keys are compared by their bytes.
    public subscript(key: String) -> ImportValue? { object?[key] }

    /// The element at an index, counted from 0; nil if the value is not an array with this element.
    public subscript(index: Int) -> ImportValue? {
        guard case .array(let values) = self, values.indices.contains(index) else { return nil }
        return values[index]
    }
}

extension ImportValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates true or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates a number.
    public init(integerLiteral value: Int) { self = .number(value) }

    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an array.
    public init(arrayLiteral elements: ImportValue...) { self = .array(elements) }

    /// Creates an object.
    ///
    /// If a key occurs more than once, the last value is used.
    public init(dictionaryLiteral elements: (String, ImportValue)...) {
        self = .object(ImportObject(elements))
    }
}

extension ImportValue: CustomStringConvertible {
    /// The value as messages show it, similar to JSON with sorted keys.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .string(let text): text.debugDescription
        case .date(let date): date.formatted(.iso8601)
        case .data(let data): "\(data.count) bytes"
        case .array(let values): "[\(values.map(\.description).joined(separator: ", "))]"
        case .object(let members): Self.text(of: members)
        }
    }

    private static func text(of members: ImportObject) -> String {
        "{\(members.map { "\($0.key.debugDescription): \($0.value)" }.joined(separator: ", "))}"
    }
}
