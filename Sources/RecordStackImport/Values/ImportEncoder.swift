import FoundationEssentials
package import RecordStackModel

extension ImportValue {
    /// Creates a value by encoding another value.
    ///
    /// Dates, data and numbers keep their types, so the date formats of attributes do not apply to
    /// them.
    ///
    /// - Throws: the errors of encoding.
    package init(encoding value: some Encodable) throws {
        let node = EncodedNode()
        try node.encode(value, at: [])
        self = try node.value(inside: 0)
    }
}

/// The encoded content of one location: a value, or a container that is filled step by step.
final class EncodedNode {
    private enum Content {
        case nothing
        case value(ImportValue)
        case elements([EncodedNode])
        case members([(key: String, node: EncodedNode)])
    }

    private var content = Content.nothing

    /// Returns the encoded value.
    ///
    /// A value that encodes nothing is an empty object, as with `JSONEncoder`.
    ///
    /// - Parameter depth: the number of containers around it.
    func value(inside depth: Int) throws -> ImportValue {
        if case .value(let value) = content { return value }
        try ImportValue.requireDepth(depth + 1)
        switch content {
        case .nothing: return .object([:])
        case .value(let value): return value
        case .elements(let nodes): return .array(try nodes.map { try $0.value(inside: depth + 1) })
        case .members(let members):
            return .object(
                ImportObject(try members.map { ($0.key, try $0.node.value(inside: depth + 1)) }))
        }
    }

    var count: Int { if case .elements(let nodes) = content { nodes.count } else { 0 } }

    func set(_ value: ImportValue) { content = .value(value) }

    func beginElements() { if case .elements = content {} else { content = .elements([]) } }

    func beginMembers() { if case .members = content {} else { content = .members([]) } }

    /// Appends a node for one more element.
    func append() -> EncodedNode {
        let node = EncodedNode()
        guard case .elements(var nodes) = content else { return node }
        content = .nothing
        nodes.append(node)
        content = .elements(nodes)
        return node
    }

    /// Adds a node for a member.
    ///
    /// If `goingOn` is true and the key already has a node, returns that node. Otherwise the new
    /// node replaces any node with the same key.
    func member(_ key: String, goingOn: Bool = false) -> EncodedNode {
        let node = EncodedNode()
        guard case .members(var members) = content else { return node }
        if goingOn, let known = members.last(where: { $0.key.hasSameBytes(as: key) }) {
            return known.node
        }
        content = .nothing
        members.append((key, node))
        content = .members(members)
        return node
    }

    func encode(_ value: some Encodable, at path: [any CodingKey]) throws {
        if let plain = Self.plain(value) { return set(plain) }
        // The check stops a value that is nested endlessly before the stack overflows.
        try ImportValue.requireDepth(path.count)
        try value.encode(to: ImportEncoder(node: self, codingPath: path))
    }

    /// Returns the import value of a type that has one, however the type would encode itself.
    private static func plain(_ value: some Encodable) -> ImportValue? {
        switch value {
        case let value as String: .string(value)
        case let value as Bool: .bool(value)
        case let value as any BinaryInteger & Encodable: .number("\(value)")
        case let value as Double: .number("\(value)")
        case let value as Float: .number("\(value)")
        case let value as Date: .date(value)
        case let value as Data: .data(value)
        case let value as URL: .string(value.absoluteString)
        case let value as Decimal: .number(value.description)
        default: nil
        }
    }
}

/// An encoder that builds import values.
struct ImportEncoder: Encoder {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.beginMembers()
        return KeyedEncodingContainer(ImportKeyedContainer(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.beginElements()
        return ImportUnkeyedContainer(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ImportSingleContainer(node: node, codingPath: codingPath)
    }
}
