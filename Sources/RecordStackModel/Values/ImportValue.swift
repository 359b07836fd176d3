public import FoundationEssentials

/// A value of an import's source before it is converted: what hooks and transforms see, and what they answer.
///
/// ```swift
/// @Attribute(.importTransform { value in value == "N/A" ? .null : value }) var rating: Double?
/// ```
///
/// Literals stand for values: `["name": "Ann", "age": 30, "tags": ["a", "b"]]`.
public enum ImportValue: Sendable, Hashable {
    /// No value, said aloud. A key that is not there at all has no `ImportValue`.
    case null
    /// True or false.
    case bool(Bool)
    /// A number as it is written, so that nothing of it is lost: `12`, `0.10`, `1e3`.
    case number(String)
    /// Text.
    case string(String)
    /// A moment, which no format has to be found for. JSON has none.
    case date(Date)
    /// Bytes. JSON has none.
    case data(Data)
    /// Values in their order.
    case array([ImportValue])
    /// Values by their keys, which are told apart by their bytes.
    case object(ImportObject)
}

extension ImportValue {
    /// A number.
    public static func number(_ value: some BinaryInteger) -> ImportValue { .number("\(value)") }

    /// A number. NaN and the infinities have no place in JSON: they convert to nothing.
    public static func number(_ value: Double) -> ImportValue { .number("\(value)") }

    /// Whether it is ``null``.
    public var isNull: Bool { self == .null }

    /// The truth of ``bool(_:)``; nil for all else.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// A number that is written as an integer of 64 bits; nil for all else.
    public var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }

    /// The nearest double of a number; nil for all else.
    public var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }

    /// Text; nil for all else.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements of an array; nil for all else.
    public var array: [ImportValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members of an object; nil for all else.
    public var object: ImportObject? { if case .object(let value) = self { value } else { nil } }

    /// The value under a key of an object, which is found by its bytes; nil where there is none, and for all else.
    public subscript(key: String) -> ImportValue? { object?[key] }

    /// An element of an array, from 0; nil where there is none, and for all else.
    public subscript(index: Int) -> ImportValue? {
        guard case .array(let values) = self, values.indices.contains(index) else { return nil }
        return values[index]
    }
}

extension ImportValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// A number.
    public init(integerLiteral value: Int) { self = .number(value) }

    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// Text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// An array.
    public init(arrayLiteral elements: ImportValue...) { self = .array(elements) }

    /// An object. Of a key that comes twice, the last value counts.
    public init(dictionaryLiteral elements: (String, ImportValue)...) {
        self = .object(ImportObject(elements))
    }
}

extension ImportValue: CustomStringConvertible {
    /// The value as a message shows it: nearly JSON, with the keys in order.
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
