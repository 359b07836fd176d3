import FoundationEssentials

/// Writes stored values in the form that a format string has.
enum FormatValueText {
    /// Returns a value as text.
    ///
    /// - Parameter type: the type of the other operand; nil if that is a value too.
    static func text(_ value: StoredValue, beside type: FormatType?) -> String {
        switch (type, value) {
        case (.bool, .integer(let number)) where number == 0 || number == 1:
            return number == 1 ? "TRUE" : "FALSE"
        case (.date, .real(let seconds)): return cast(.real(seconds), .date)
        case (.decimal, .text(let text)):
            let literal = literal(text)
            return literal.decimalText == text ? text : cast(value, .decimal)
        case (.uuid, .blob):
            return UUID(storedValue: value).map { "\"\($0.uuidString)\"" } ?? plain(value)
        case (.unsigned, .blob): return UInt64(storedValue: value).map { "\($0)" } ?? plain(value)
        default: return plain(value)
        }
    }

    /// Returns digits as the number that the parser reads.
    private static func literal(_ digits: String) -> FormatNumber {
        Int64(digits).map(FormatNumber.integer)
            ?? .real(Double(digits) ?? .infinity, digits: digits)
    }

    /// Returns a value in its stored form.
    private static func plain(_ value: StoredValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number):
            number.isFinite ? "\(number)" : "CAST(\"\(number)\", \"NSNumber\")"
        case .text(let text): FormatName.quoted(text)
        case .blob(let bytes): "CAST(\"\(HexText.text(of: bytes))\", \"NSData\")"
        }
    }

    /// Returns a Decimal that stands alone; an integer, which is valid in its place, stays one.
    static func decimal(_ value: StoredValue) -> String {
        if case .integer = value { plain(value) } else { cast(value, .decimal) }
    }

    /// Returns a value with a CAST to its type, if the type needs one.
    static func cast(_ value: StoredValue, _ type: FormatType) -> String {
        switch type {
        case .date: "CAST(\(plain(value)), \"NSDate\")"
        case .decimal: "CAST(\(plain(value)), \"NSDecimalNumber\")"
        default: plain(value)
        }
    }
}
