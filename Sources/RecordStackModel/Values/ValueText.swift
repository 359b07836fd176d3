import FoundationEssentials

/// Values as dumps and descriptions write them, with one text for each value.
package enum ValueText {
    package static func text(of value: StoredValue, type: AttributeType) -> String {
        switch (type, value) {
        case (_, .null): "nil"
        case (.bool, .integer(let number)): number == 0 ? "false" : "true"
        case (.date, .real(let seconds)): DateText.text(of: seconds)
        case (.date, .integer(let seconds)): DateText.text(of: Double(seconds))
        case (.float, .real(let number)): "\(Float(number))"
        case (.uuid, .blob): UUID(storedValue: value)?.uuidString ?? bytes(value)
        case (.url, .text(let text)): "<\(visible(text))>"
        case (.decimal, .text(let text)), (.json, .text(let text)): visible(text)
        case (_, .blob):
            UInt64(storedValue: value).map { number(type, $0) ?? bytes(value) } ?? bytes(value)
        case (_, .integer(let number)): "\(number)"
        case (_, .real(let number)): "\(number)"
        case (_, .text(let text)): quoted(text)
        }
    }

    /// Returns the text of an unsigned integer that is stored as bytes; nil for other types.
    ///
    /// An integer above `Int64.max` is stored as bytes.
    private static func number(_ type: AttributeType, _ value: UInt64) -> String? {
        type.storage == .integer ? "\(value)" : nil
    }

    /// Returns a text in quotes, with invisible characters escaped.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
            append(scalar, to: &result)
        }
        return result + "\""
    }

    /// Returns a text with invisible characters escaped.
    private static func visible(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars { append(scalar, to: &result) }
        return result
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case " ": text += " "
        default:
            if hidden.contains(scalar.properties.generalCategory) {
                text += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The categories of scalars that are invisible or combine with the character before them.
    private static let hidden: Set<Unicode.GeneralCategory> = [
        .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator, .spaceSeparator, .nonspacingMark, .spacingMark, .enclosingMark,
    ]

    private static func bytes(_ value: StoredValue) -> String {
        guard case .blob(let bytes) = value else { return "" }
        if bytes.count <= 64 { return "<\(hex(bytes[...]))>" }
        return "<\(hex(bytes.prefix(16)))…> (\(bytes.count) bytes, FNV-1a \(checksum(bytes)))"
    }

    private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var result: [UInt8] = []
        for byte in bytes { result += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: result, as: UTF8.self)
    }

    /// The 64-bit FNV-1a hash, in hexadecimal.
    private static func checksum(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
