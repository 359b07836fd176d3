import FoundationEssentials

/// A type whose values are kept as JSON text.
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
/// Its placeholder is a value of zeros, empty texts and nil, which is decoded in some microseconds for each object that is made
/// without a value. A type that cannot be made of these, as an enum with associated values, must declare one:
/// `static let placeholder = Shape.point`. One that is declared costs nothing.
///
/// Arrays of such values, and of the other attribute types, are kept in the same way, and so are
/// dictionaries with text for keys. The keys of objects are sorted, so that equal values have equal text. Encoding costs some microseconds with
/// every write, and whenever the context looks whether the value has changed. Infinities and NaN,
/// for which JSON has no numbers, are kept as the texts "Infinity", "-Infinity" and "NaN".
///
/// A value whose encoding throws fails validation when it is saved, in an optional attribute as well, and so does one
/// with more than 100 arrays and objects inside of one another. A stored text that goes deeper is no value.
public protocol CodableAttributeValue: AttributeValue, Codable {}

extension CodableAttributeValue {
    /// JSON, kept as text.
    public static var attributeType: AttributeType { .json }

    /// The JSON text, or an empty text, which no save takes, for what cannot be encoded.
    public var storedValue: StoredValue { JSONText.encode(self) }

    /// The value that a JSON text encodes, or nil where it encodes none.
    public init?(storedValue: StoredValue) {
        guard let value = JSONText.decode(Self.self, storedValue) else { return nil }
        self = value
    }

    /// A value of zeros, empty texts and nil.
    /// - Precondition: the type can be decoded from these.
    public static var placeholder: Self {
        do {
            return try Self(from: PlaceholderDecoder())
        } catch {
            // The type's author left out what the documentation asks for, and there is no value to go on with. The first
            // object that is made shows it.
            fatalError(
                "\(Self.self) cannot be made out of nothing. Write which value stands where there is none "
                    + "yet: static let placeholder = \(Self.self)(…).")
        }
    }
}

extension Array: AttributeValue where Element: AttributeValue & Codable {
    /// JSON, kept as text.
    public static var attributeType: AttributeType { .json }
    /// No elements.
    public static var placeholder: [Element] { [] }
    /// The JSON text, or an empty text, which no save takes, where encoding an element throws.
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
    /// The JSON text, or an empty text, which no save takes, where encoding a value throws.
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
        // Null would be a value of an optional attribute, and the save would lose this one in silence. What cannot be
        // read again is no value either, and refused by the checks below.
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
    /// What every attribute of a Codable type is checked for: whether its values can be read again when they are stored.
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
