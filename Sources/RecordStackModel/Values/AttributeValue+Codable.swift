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
/// dictionaries with text for keys. The keys of objects are sorted, so that equal values have equal text. Encoding costs some microseconds with
/// every write, and whenever the context looks whether the value has changed. Infinities and NaN,
/// for which JSON has no numbers, are kept as the texts "Infinity", "-Infinity" and "NaN". A value whose
/// encoding throws is stored as null, which fails validation where it is required, and so is one with more
/// than 100 arrays and objects inside of one another; a text that goes deeper is no value.
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
    /// The JSON text, or null where encoding an element throws.
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
    /// The JSON text, or null where encoding a value throws.
    public var storedValue: StoredValue { JSONText.encode(self) }

    /// The dictionary that a JSON text encodes, or nil where it encodes none.
    public init?(storedValue: StoredValue) {
        guard let value = JSONText.decode(Self.self, storedValue) else { return nil }
        self = value
    }
}

/// Values as JSON text, one text for equal values.
private enum JSONText {
    /// JSON has no numbers for these.
    private static let infinity = "Infinity"
    private static let notANumber = "NaN"

    static func encode(_ value: some Encodable) -> StoredValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: infinity, negativeInfinity: "-" + infinity, nan: notANumber)
        guard let data = try? encoder.encode(value) else { return .null }
        let text = String(decoding: data, as: UTF8.self)
        // What is not read again must not be written.
        return JSONDepth.exceeds(JSONDepth.most, in: text) ? .null : .text(text)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ stored: StoredValue) -> Value? {
        guard case .text(let text) = stored, !JSONDepth.exceeds(JSONDepth.most, in: text) else {
            return nil
        }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: infinity, negativeInfinity: "-" + infinity, nan: notANumber)
        return try? decoder.decode(type, from: Data(text.utf8))
    }
}
