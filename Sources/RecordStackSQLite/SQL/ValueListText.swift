import RecordStackModel

/// A list of values as a JSON array, which SQLite parses.
enum ValueListText {
    /// Returns a list of integers and texts without U+0000, which JSON preserves.
    static func plain(_ values: [StoredValue]) -> String {
        array(values) { value, json in
            switch value {
            case .integer(let number): json += "\(number)".utf8
            case .text(let text): add(text, to: &json)
            default: break
            }
        }
    }

    /// Returns a list of any values, which ``decoded(_:)`` restores.
    ///
    /// All values but integers are texts, whose first letter is the type of the value.
    static func encoded(_ values: [StoredValue]) -> String {
        array(values) { value, json in
            switch value {
            case .null: json += "null".utf8
            case .integer(let number): json += "\(number)".utf8
            case .real(let number): add("r" + String(number.bitPattern, radix: 16), to: &json)
            case .text(let text) where value.isPlainInJSON: add("t" + text, to: &json)
            case .text(let text): add("h" + HexText.text(of: Array(text.utf8)), to: &json)
            case .blob(let bytes): add("b" + HexText.text(of: bytes), to: &json)
            }
        }
    }

    static func decoded(_ value: StoredValue) -> StoredValue {
        guard case .text(let text) = value else { return value }
        let rest = String(text.unicodeScalars.dropFirst())
        switch text.unicodeScalars.first {
        case "t": return .text(rest)
        case "r": return UInt64(rest, radix: 16).map { .real(Double(bitPattern: $0)) } ?? .null
        case "h":
            return HexText.bytes(of: rest).map { .text(String(decoding: $0, as: UTF8.self)) }
                ?? .null
        case "b": return HexText.bytes(of: rest).map(StoredValue.blob) ?? .null
        default: return .null
        }
    }

    private static func array(
        _ values: [StoredValue], _ add: (StoredValue, inout [UInt8]) -> Void
    ) -> String {
        var json = [UInt8(ascii: "[")]
        for (index, value) in values.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            add(value, &json)
        }
        json.append(UInt8(ascii: "]"))
        return String(decoding: json, as: UTF8.self)
    }

    private static func add(_ text: String, to json: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        json.append(quote)
        for byte in text.utf8 {
            switch byte {
            case quote, UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                json += ((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)).utf8
            default: json.append(byte)
            }
        }
        json.append(quote)
    }
}

extension StoredValue {
    /// Whether the value is unchanged after a round trip through SQLite's JSON.
    var isPlainInJSON: Bool {
        switch self {
        case .integer: true
        case .text(let text): !text.utf8.contains(0)
        case .null, .real, .blob: false
        }
    }
}
