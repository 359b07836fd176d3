/// Decodes a value of a Codable type without any data.
///
/// Numbers become 0, texts empty, Bools false, and optional values nil. Arrays and
/// dictionaries become empty.
///
/// ```swift
/// let address = try Address(from: PlaceholderDecoder())
/// ```
///
/// Decoding throws for a type that accepts none of these, such as an enum with associated values.
struct PlaceholderDecoder: Decoder {
    /// The maximum depth, which is that of stored JSON.
    private static let mostLevels = 100

    fileprivate let level: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init() { level = 0 }

    private init(inside outer: PlaceholderDecoder) throws {
        level = outer.level + 1
        if level <= Self.mostLevels { return }
        // A class that requires another object of the same class would never end.
        throw DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: [], debugDescription: "There is no end of it."))
    }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(PlaceholderFields(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { PlaceholderElements(decoder: self) }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        PlaceholderValue(decoder: self)
    }

    fileprivate func make<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let plain = type as? any AttributeValue.Type, !(type is any CodableAttributeValue.Type),
            let value = plain.placeholder as? Value
        {
            return value
        }
        if let cases = type as? any CaseIterable.Type, let first = cases.first as? Value {
            return first
        }
        return try Value(from: PlaceholderDecoder(inside: self))
    }

    fileprivate func none(of type: Any.Type) -> DecodingError {
        DecodingError.valueNotFound(
            type, DecodingError.Context(codingPath: [], debugDescription: "There is none."))
    }
}

extension CaseIterable {
    fileprivate static var first: Any? { allCases.first }
}

/// Decodes the properties of a value.
private struct PlaceholderFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: PlaceholderDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { true }
    func decode(_ type: Bool.Type, forKey key: Key) -> Bool { false }
    func decode(_ type: String.Type, forKey key: Key) -> String { "" }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.make(type)
    }
    func nestedContainer<Nested>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> { decoder.container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        decoder.unkeyedContainer()
    }
    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) -> any Decoder { decoder }
}

/// Decodes the elements of a collection, which is empty.
private struct PlaceholderElements: UnkeyedDecodingContainer {
    let decoder: PlaceholderDecoder
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    func decodeNil() -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        throw decoder.none(of: type)
    }
    func nestedContainer<Nested>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        throw decoder.none(of: type)
    }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw decoder.none(of: [Any].self)
    }
    func superDecoder() -> any Decoder { decoder }
}

/// Decodes a value that is encoded as another value.
private struct PlaceholderValue: SingleValueDecodingContainer {
    let decoder: PlaceholderDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { true }
    func decode(_ type: Bool.Type) -> Bool { false }
    func decode(_ type: String.Type) -> String { "" }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.make(type) }
}
