import FoundationEssentials
import RecordStackModel

/// Reads decimal numbers in JSON notation, and only those that a `Decimal` holds exactly.
enum DecimalConversion {
    /// The number of digits that every `Decimal` can hold.
    private static let mostDigits = 38

    static func convert(_ text: String) -> StoredValue? {
        guard isNumber(text) else { return nil }
        // Foundation does not read a zero with a large exponent.
        if !hasDigitsButZero(text) { return Decimal(0).storedValue }
        // Foundation reads a number that is too small for a Decimal as zero.
        guard let value = Decimal(string: text), value.isFinite, !value.isZero else { return nil }
        return value.storedValue
    }

    /// Whether a text is a decimal number, with optional fraction and exponent, whose digits fit.
    private static func isNumber(_ text: String) -> Bool {
        let parts = text.utf8.split(
            maxSplits: 1, omittingEmptySubsequences: false,
            whereSeparator: { $0 | 0x20 == UInt8(ascii: "e") })
        if parts.count == 2 {
            guard Int(Substring(parts[1])) != nil else { return false }
        }
        let signs = [UInt8(ascii: "-"), UInt8(ascii: "+")]
        let digits = parts[0].first.map(signs.contains) == true ? parts[0].dropFirst() : parts[0]
        let halves = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let zero = UInt8(ascii: "0")
        guard halves.count <= 2, halves.allSatisfy({ !$0.isEmpty }),
            halves.joined().allSatisfy({ (zero...zero + 9).contains($0) })
        else { return false }
        let significant = Array(halves.joined().drop { $0 == zero })
        return (significant.lastIndex { $0 != zero } ?? -1) < mostDigits
    }

    private static func hasDigitsButZero(_ text: String) -> Bool {
        text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
            .contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
    }
}
