import RecordStackModel

// The generic methods also serve the types for which the protocols have separate requirements.

struct ImportKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { node.member(key.stringValue).set(.null) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try node.member(key.stringValue).encode(value, at: codingPath + [key])
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(for: key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(for: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(named: "super", SuperKey()) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

    private func encoder(for key: Key) -> ImportEncoder { encoder(named: key.stringValue, key) }

    private func encoder(named name: String, _ key: any CodingKey) -> ImportEncoder {
        ImportEncoder(node: node.member(name, goingOn: true), codingPath: codingPath + [key])
    }
}

struct ImportUnkeyedContainer: UnkeyedEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    var count: Int { node.count }

    func encodeNil() { node.append().set(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        let path = codingPath + [ElementKey(count)]
        try node.append().encode(value, at: path)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        next.container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next.unkeyedContainer() }

    func superEncoder() -> any Encoder { next }

    private var next: ImportEncoder {
        let path = codingPath + [ElementKey(count)]
        return ImportEncoder(node: node.append(), codingPath: path)
    }
}

struct ImportSingleContainer: SingleValueEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    func encodeNil() { node.set(.null) }

    func encode<Value: Encodable>(_ value: Value) throws { try node.encode(value, at: codingPath) }
}

private struct ElementKey: CodingKey {
    let index: Int
    var stringValue: String { "\(index)" }
    var intValue: Int? { index }

    init(_ index: Int) { self.index = index }
    init?(intValue: Int) { index = intValue }
    init?(stringValue: String) { return nil }
}

private struct SuperKey: CodingKey {
    var stringValue: String { "super" }
    var intValue: Int? { nil }

    init() {}
    init?(intValue: Int) { return nil }
    init?(stringValue: String) { return nil }
}
