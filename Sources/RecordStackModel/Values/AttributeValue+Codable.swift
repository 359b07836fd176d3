import FoundationEssentials

/// A type whose values are stored as JSON text.
///
/// ```swift
/// struct Address: CodableAttributeValue {
///     var street = ""
///     var city = ""
/// }
///
/// @Attribute var address: Address = Address()
/// @Attribute var tags: [String] = []
/// ```
///
/// The type's placeholder is a value of zeros, empty strings and nil. RecordStack decodes it for
/// each object that is created without a value, which takes some microseconds. A type that cannot
/// be decoded from such values, such as an enum with associated values, must declare a placeholder:
/// `static let placeholder = Shape.point`. A declared placeholder costs nothing.
///
/// An array is also stored as JSON text if its elements are Codable attribute values of any type. A
/// dictionary with string keys is stored as JSON text if its values are. The keys of JSON objects
/// are sorted, so equal values have equal text. Encoding takes some microseconds. It happens at
/// each write, and each time that the context checks whether the value has changed. JSON has no
/// infinities and no NaN, so they are stored as the strings "Infinity", "-Infinity" and "NaN".
///
/// If the encoding of a value throws, the value fails validation when it is saved, even in an
/// optional attribute. A value with more than 100 levels of nested arrays and objects also fails
/// validation. If stored text has more levels, the fetch throws ``RecordStackError/Code/corrupt``.
public protocol CodableAttributeValue: AttributeValue, Codable {}

extension CodableAttributeValue {
    /// JSON, stored as text.
    public static var attributeType: AttributeType { .json }

    /// The JSON text, or empty text if the value cannot be encoded.
    ///
    /// Validation rejects empty text.
    public var storedValue: StoredValue { JSONText.encode(self) }

    /// Decodes a value from JSON text, or returns nil if the text does not encode a value.
    public init?(storedValue: StoredValue) {
        guard let value = JSONText.decode(Self.self, storedValue) else { return nil }
        self = value
    }

    /// A value of zeros, empty strings and nil.
    ///
    /// - Precondition: the type can be decoded from such values.
    public static var placeholder: Self {
        do {
            return try Self(from: PlaceholderDecoder())
        } catch {
            // The type needs a declared placeholder, as its documentation says. Without one there
            // is no value to continue with. The first object that is created shows the mistake.
            fatalError(
                "\(Self.self) cannot be made out of nothing. Write which value stands where there is none "
                    + "yet: static let placeholder = \(Self.self)(…).")
        }
    }
}

extension Array: AttributeValue where Element: AttributeValue & Codable {
    /// JSON, stored as text.
    public static var attributeType: AttributeType { .json }
    /// An empty array.
    public static var placeholder: [Element] { [] }
    /// The JSON text, or empty text if encoding an element throws.
    ///
    /// Validation rejects empty text.
    public var storedValue: StoredValue { JSONText.encode(self) }

    /// Decodes an array from JSON text, or returns nil if the text does not encode an array.
    public init?(storedValue: StoredValue) {
        guard let value = JSONText.decode(Self.self, storedValue) else { return nil }
        self = value
    }
}

extension Dictionary: AttributeValue where Key == String, Value: AttributeValue & Codable {
    /// JSON, stored as text.
    public static var attributeType: AttributeType { .json }
    /// An empty dictionary.
    public static var placeholder: [String: Value] { [:] }
    /// The JSON text, or empty text if encoding a value throws.
    ///
    /// Validation rejects empty text.
    public var storedValue: StoredValue { JSONText.encode(self) }

    /// Decodes a dictionary from JSON text, or returns nil if the text encodes no dictionary.
    public init?(storedValue: StoredValue) {
        guard let value = JSONText.decode(Self.self, storedValue) else { return nil }
        self = value
    }
}

/// Encodes values as JSON text, and equal values as equal text.
private enum JSONText {
    /// The text for infinity, for which JSON has no number.
    private static let infinity = "Infinity"
    private static let notANumber = "NaN"

    static func encode(_ value: some Encodable) -> StoredValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: infinity, negativeInfinity: "-" + infinity, nan: notANumber)
        // Null would be valid in an optional attribute, so the save would lose the value silently.
        // The checks below reject the empty text, and text that could not be read again.
        guard let data = try? encoder.encode(value) else { return .text("") }
        return .text(String(decoding: data, as: UTF8.self))
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

extension AttributeCheck {
    /// The checks of every attribute of a Codable type: stored values must be readable again.
    static let codable = [
        AttributeCheck(
            rule: .encodable, text: RuleText.text(of: .encodable, type: nil),
            accepts: { $0 != .text("") }),
        AttributeCheck(
            rule: .depth(JSONDepth.most),
            text: RuleText.text(of: .depth(JSONDepth.most), type: nil),
            accepts: {
                guard case .text(let text) = $0 else { return true }
                return !JSONDepth.exceeds(JSONDepth.most, in: text)
            }),
    ]
}
