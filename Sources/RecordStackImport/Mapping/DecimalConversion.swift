import FoundationEssentials
import RecordStackModel

/// Reads decimal numbers as JSON writes them, and takes those alone that a `Decimal` holds exactly.
enum DecimalConversion {
    /// Digits that every number may have.
    private static let mostDigits = 38

    static func convert(_ text: String) -> StoredValue? {
        guard isNumber(text) else { return nil }
        // Foundation reads no zero whose exponent is large.
        if !hasDigitsButZero(text) { return Decimal(0).storedValue }
        // One that is too small for a Decimal would be read as zero.
        guard let value = Decimal(string: text), value.isFinite, !value.isZero else { return nil }
        return value.storedValue
    }

    /// Digits with a fraction and an exponent, perhaps, and no more digits than fit.
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
