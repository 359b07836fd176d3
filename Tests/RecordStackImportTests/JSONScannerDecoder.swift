import Foundation

/// JSONDecoder's reading of a text, with every value in it.
enum DecodedJSON: Decodable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case double(Double)
    case string(String)
    case array([DecodedJSON])
    case object([String: DecodedJSON])

    /// Returns the value of a text, or nil if JSONDecoder refuses it.
    static func read(_ bytes: [UInt8]) -> DecodedJSON? {
        try? JSONDecoder().decode(DecodedJSON.self, from: Data(bytes))
    }

    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            var elements: [DecodedJSON] = []
            while !list.isAtEnd { elements.append(try list.decode(DecodedJSON.self)) }
            self = .array(elements)
        } else if let object = try? decoder.container(keyedBy: Key.self) {
            var members: [String: DecodedJSON] = [:]
            for key in object.allKeys {
                members[key.stringValue] = try object.decode(DecodedJSON.self, forKey: key)
            }
            self = .object(members)
        } else {
            self = try Self.single(decoder.singleValueContainer())
        }
    }

    private static func single(_ value: any SingleValueDecodingContainer) throws -> DecodedJSON {
        if value.decodeNil() { return .null }
        if let bool = try? value.decode(Bool.self) { return .bool(bool) }
        if let text = try? value.decode(String.self) { return .string(text) }
        // JSONDecoder refuses a number that is close to no Double, but reads it as 0 in an Int64.
        let double = try value.decode(Double.self)
        if let integer = try? value.decode(Int64.self) { return .integer(integer) }
        if let unsigned = try? value.decode(UInt64.self) { return .unsigned(unsigned) }
        return .double(double)
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// True if the scanner has read the same value.
    /// - Parameter tree: the scanner's tree, which has the first value of a repeated key, as
    ///   JSONDecoder does.
    func isSame(as tree: JSONTree) -> Bool {
        switch (self, tree) {
        case (.null, .null): true
        case (.bool(let bool), .bool(let other)): bool == other
        case (.string(let text), .string(let bytes)):
            FoundationJSON.unmarked(text)
                == FoundationJSON.unmarked(String(decoding: bytes, as: UTF8.self))
        case (.array(let elements), .array(let others)):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.isSame(as: $1) }
        case (.object(let members), .object(let others)): Self.isSame(members, as: others)
        case (_, .number(_, let signed, let unsigned, let bits)):
            isNumber(signed, unsigned, Double(bitPattern: bits))
        default: false
        }
    }

    private func isNumber(_ signed: Int64?, _ unsigned: UInt64?, _ double: Double) -> Bool {
        switch self {
        // JSONDecoder also reads whole numbers with a fraction or an exponent as integers.
        case .integer(let value): signed.map { $0 == value } ?? (Double(value) == double)
        case .unsigned(let value): unsigned.map { $0 == value } ?? (Double(value) == double)
        case .double(let value): signed == nil && unsigned == nil && value == double
        default: false
        }
    }

    private static func isSame(
        _ members: [String: DecodedJSON], as others: [[UInt8]: JSONTree]
    ) -> Bool {
        let byKey = Dictionary(
            members.map { (FoundationJSON.unmarked($0.key), $0.value) },
            uniquingKeysWith: { first, _ in first })
        let names = others.map {
            (FoundationJSON.unmarked(String(decoding: $0.key, as: UTF8.self)), $0.value)
        }
        guard Set(names.map(\.0)) == Set(byKey.keys) else { return false }
        // Swift's `==` merges keys that are canonically equivalent, and it is unspecified which
        // value is left.
        return byKey.count < others.count
            || names.allSatisfy { name, value in byKey[name]?.isSame(as: value) == true }
    }
}
