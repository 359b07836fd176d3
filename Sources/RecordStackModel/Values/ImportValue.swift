public import FoundationEssentials

/// A value of an import's source before it is converted.
///
/// Hooks and transforms receive and return such values.
///
/// ```swift
/// @Attribute(.importTransform { value in value == "N/A" ? .null : value }) var rating: Double?
/// ```
///
/// You can write values as literals: `["name": "Ann", "age": 30, "tags": ["a", "b"]]`.
public enum ImportValue: Sendable, Hashable {
    /// An explicit null.
    ///
    /// A missing key has no `ImportValue`.
    case null
    /// True or false.
    case bool(Bool)
    /// A number as written in the source, with all its digits: `12`, `0.10`, `1e3`.
    case number(String)
    /// Text.
    case string(String)
    /// A date, for which no format is needed.
    ///
    /// JSON has no dates.
    case date(Date)
    /// Bytes, which JSON does not have.
    case data(Data)
    /// Values in their order.
    case array([ImportValue])
    /// Values by their keys, which are compared by their bytes.
    case object(ImportObject)
}

extension ImportValue {
    /// Creates a number from an integer.
    public static func number(_ value: some BinaryInteger) -> ImportValue { .number("\(value)") }

    /// Creates a number from a double.
    ///
    /// NaN and the infinities do not exist in JSON, and convert to no attribute value.
    public static func number(_ value: Double) -> ImportValue { .number("\(value)") }

    /// Whether the value is ``null``.
    public var isNull: Bool { self == .null }

    /// The content of ``bool(_:)``; nil for any other value.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, if it is written as a 64-bit integer; nil for any other value.
    public var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }

    /// The double that is nearest to a number; nil for any other value.
    public var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }

    /// The text; nil for any other value.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements of an array; nil for any other value.
    public var array: [ImportValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members of an object; nil for any other value.
    public var object: ImportObject? { if case .object(let value) = self { value } else { nil } }

    /// The value under a key of an object; nil if there is none, and for any other value.
    ///
    /// Keys are compared by their bytes.
    public subscript(key: String) -> ImportValue? { object?[key] }

    /// The element of an array at an index from 0; nil if there is none, and for any other value.
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

    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an array.
    public init(arrayLiteral elements: ImportValue...) { self = .array(elements) }

    /// Creates an object.
    ///
    /// If a key occurs more than once, its last value counts.
    public init(dictionaryLiteral elements: (String, ImportValue)...) {
        self = .object(ImportObject(elements))
    }
}

extension ImportValue: CustomStringConvertible {
    /// The value as a message shows it: similar to JSON, with sorted keys.
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
