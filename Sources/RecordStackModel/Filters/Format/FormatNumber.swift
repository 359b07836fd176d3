import FoundationEssentials

/// A number in a format string or argument, before the other operand determines its type.
enum FormatNumber: Sendable, Hashable {
    case integer(Int64)
    /// A number above `Int64.max`.
    case unsigned(UInt64)
    /// A real number, with its digits if the format string contains it.
    case real(Double, digits: String?)
    /// A decimal number as text, without an exponent and without superfluous zeros.
    case decimal(String)

    init(_ value: UInt64) {
        self = Int64(exactly: value).map(FormatNumber.integer) ?? .unsigned(value)
    }

    var negated: FormatNumber? {
        switch self {
        case .integer(let value): value == .min ? nil : .integer(-value)
        case .unsigned(let value) where value == 1 << 63: .integer(.min)
        case .unsigned(let value): .real(-Double(value), digits: "-\(value)")
        case .real(let value, let digits): .real(-value, digits: digits.map { "-" + $0 })
        case .decimal(let text):
            .decimal(text.first == "-" ? String(text.dropFirst()) : text == "0" ? text : "-" + text)
        }
    }

    var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .real(let value, _): value
        case .decimal(let text): Double(text) ?? .nan
        }
    }

    /// The number as a Decimal is stored; nil if a Decimal cannot hold all of its digits.
    var decimalText: String? {
        switch self {
        case .integer(let value): return "\(value)"
        case .unsigned(let value): return "\(value)"
        case .decimal(let text): return text
        case .real(let value, let digits):
            guard value.isFinite, let plain = PlainNumber.text(of: digits ?? "\(value)"),
                let decimal = Decimal(string: plain), decimal.storedValue == .text(plain)
            else { return nil }
            return plain
        }
    }

    /// The number as an integer or a real number; nil if it is above `Int64.max`.
    var plain: StoredValue? {
        switch self {
        case .integer(let value): .integer(value)
        case .unsigned: nil
        case .real(let value, _): .storedReal(value)
        case .decimal(let text): Int64(text).map(StoredValue.integer) ?? .storedReal(double)
        }
    }
}

/// Writes numbers without an exponent.
enum PlainNumber {
    /// Returns the shortest plain form of a number.
    ///
    /// The text is nil for an exponent beyond ±400, because it would have hundreds of digits.
    static func text(of number: String) -> String? {
        let isNegative = number.first == "-"
        let parts = number.drop { $0 == "-" }.split(
            omittingEmptySubsequences: false
        ) { $0 == "e" || $0 == "E" }
        guard let mantissa = parts.first, let exponent = parts.count > 1 ? Int(parts[1]) : 0,
            abs(exponent) <= 400
        else { return nil }
        let halves = mantissa.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = halves.count > 1 ? String(halves[1]) : ""
        let plain = shifted(String(halves[0]) + fraction, by: exponent - fraction.utf8.count)
        return DecimalText.canonical((isNegative ? "-" : "") + plain)
    }

    /// Returns digits, multiplied by a power of ten.
    private static func shifted(_ digits: String, by exponent: Int) -> String {
        if exponent >= 0 {
            return withoutZeros(digits + String(repeating: "0", count: exponent))
        }
        let padding = String(repeating: "0", count: max(0, 1 - exponent - digits.utf8.count))
        let all = padding + digits
        return withoutZeros(String(all.dropLast(-exponent))) + "." + all.suffix(-exponent)
    }

    private static func withoutZeros(_ digits: String) -> String {
        let rest = digits.drop { $0 == "0" }
        return rest.isEmpty ? "0" : String(rest)
    }
}
