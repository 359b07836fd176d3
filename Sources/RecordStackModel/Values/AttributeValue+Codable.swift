import FoundationEssentials

/// A type whose values are kept as JSON text.
///
/// ```swift
/// struct Address: CodableAttributeValue {
///     var street = ""
///     var city = ""
///
///     static let placeholder = Address()
/// }
///
/// @Attribute var address: Address = Address()
/// @Attribute var tags: [String] = []
/// ```
///
/// Arrays of such values, and of the other attribute types, are kept in the same way, and so are
/// dictionaries with text for keys. The keys of
/// objects are sorted, so that equal values have equal text. Encoding costs some microseconds with
/// every write, and whenever the context looks whether the value has changed. A value that cannot be
/// encoded (an infinite `Double`) is stored as null, which fails validation where it is required.
public protocol CodableAttributeValue: AttributeValue, Codable {}

extension CodableAttributeValue {
    /// JSON, kept as text.
    public static var attributeType: AttributeType { .json }

    /// The JSON text, or null for what cannot be encoded.
    public var storedValue: StoredValue { JSONText.encode(self) }

    /// The value that a JSON text encodes, or nil where it encodes none.
    public init?(storedValue: StoredValue) {
        guard let value = JSONText.decode(Self.self, storedValue) else { return nil }
        self = value
    }
}

extension Array: AttributeValue where Element: AttributeValue & Codable {
    /// JSON, kept as text.
    public static var attributeType: AttributeType { .json }
    /// No elements.
    public static var placeholder: [Element] { [] }
    /// The JSON text, or null where an element cannot be encoded.
    public var storedValue: StoredValue { JSONText.encode(self) }

    /// The array that a JSON text encodes, or nil where it encodes none.
    public init?(storedValue: StoredValue) {
        guard let value = JSONText.decode(Self.self, storedValue) else { return nil }
        self = value
    }
}

extension Dictionary: AttributeValue where Key == String, Value: AttributeValue & Codable {
    /// JSON, kept as text.
    public static var attributeType: AttributeType { .json }
    /// No entries.
    public static var placeholder: [String: Value] { [:] }
    /// The JSON text, or null where a value cannot be encoded.
    public var storedValue: StoredValue { JSONText.encode(self) }

    /// The dictionary that a JSON text encodes, or nil where it encodes none.
    public init?(storedValue: StoredValue) {
        guard let value = JSONText.decode(Self.self, storedValue) else { return nil }
        self = value
    }
}

/// Values as JSON text, one text for equal values.
private enum JSONText {
    static func encode(_ value: some Encodable) -> StoredValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return .null }
        return .text(String(decoding: data, as: UTF8.self))
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ stored: StoredValue) -> Value? {
        guard case .text(let text) = stored else { return nil }
        return try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
