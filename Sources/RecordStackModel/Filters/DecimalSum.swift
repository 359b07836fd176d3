import FoundationEssentials

/// An exact sum of decimal numbers, which does not depend on their order.
struct DecimalSum {
    /// The limbs of nine decimal digits each, lowest first.
    ///
    /// A limb may exceed nine digits until ``carry()`` runs.
    private var limbs = [Int64](repeating: 0, count: Self.count)
    private var additions = 0

    /// The exponent of the lowest digit.
    ///
    /// The digits of every Decimal lie between 10⁻¹²⁸ and 10¹⁶⁵.
    private static var lowest: Int { -135 }
    private static var count: Int { 36 }
    private static var base: Int64 { 1_000_000_000 }
    private static let powers: [Int64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
    ]

    /// Adds a number in its shortest plain form.
    ///
    /// - Returns: false if the text is not a number. The sum then ignores it.
    mutating func add(_ text: String) -> Bool {
        guard Self.holds(text) else { return false }
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = isNegative ? text.utf8.dropFirst() : text.utf8[...]
        let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
        var exponent = digits.distance(from: digits.startIndex, to: point)
        for byte in digits where byte != UInt8(ascii: ".") {
            exponent -= 1
            let index = exponent - Self.lowest
            guard limbs.indices.contains(index / 9), index >= 0 else { continue }
            let digit = Int64(byte - UInt8(ascii: "0")) * Self.powers[index % 9]
            limbs[index / 9] += isNegative ? -digit : digit
        }
        additions += 1
        if additions >= 1 << 30 { carry() }
        return true
    }

    /// Whether a text is a `Decimal`, so that each of its digits has a limb.
    private static func holds(_ text: String) -> Bool {
        if text.utf8.count <= DecimalText.fewBytes { return DecimalText.isCanonical(text) }
        return Decimal(storedValue: .text(text)) != nil
    }

    private mutating func carry() {
        for index in 0..<(Self.count - 1) {
            var (whole, rest) = limbs[index].quotientAndRemainder(dividingBy: Self.base)
            if rest < 0 { (whole, rest) = (whole - 1, rest + Self.base) }
            limbs[index] = rest
            limbs[index + 1] += whole
        }
        additions = 0
    }

    /// The sum in its shortest plain form.
    var text: String {
        var sum = self
        sum.carry()
        let isNegative = sum.limbs[Self.count - 1] < 0
        if isNegative {
            for index in sum.limbs.indices { sum.limbs[index].negate() }
            sum.carry()
        }
        let digits = sum.limbs.reversed().map { limb in
            let text = String(limb)
            return String(repeating: "0", count: max(0, 9 - text.count)) + text
        }.joined()
        let point = digits.index(digits.endIndex, offsetBy: Self.lowest)
        let whole = digits[..<point].drop { $0 == "0" }
        let plain = (whole.isEmpty ? "0" : whole) + "." + digits[point...]
        return DecimalText.canonical((isNegative ? "-" : "") + plain)
    }
}

extension DecimalSum {
    func adding(_ value: String) -> DecimalSum {
        var copy = self
        _ = copy.add(value)
        return copy
    }
}
