/// A sum of doubles that is rounded only once, kept as a number of 2,176 bits.
///
/// The number has room for every sum of doubles. The result therefore depends neither on the order
/// of the numbers nor on which part of them SQLite adds up.
struct ExactSum {
    /// The limbs of 32 bits each, lowest first, in units of the smallest double.
    ///
    /// A limb may exceed 32 bits until ``carry()`` runs.
    private var limbs = [Int64](repeating: 0, count: Self.count)
    private var additions = 0
    /// The sum of the numbers that are not finite.
    private var special = 0.0

    private static var count: Int { 68 }
    private static var lowest: Int { -1_074 }
    private static var mostAdditions: Int { 1 << 30 }

    mutating func add(_ number: Double) {
        guard number.isFinite else {
            special += number
            return
        }
        let biased = Int(number.exponentBitPattern)
        let lowestBit = max(0, biased - 1)
        let hidden: UInt64 = biased == 0 ? 0 : 1 << 52
        let shifted = UInt128(number.significandBitPattern | hidden) << (lowestBit % 32)
        let sign: Int64 = number.sign == .minus ? -1 : 1
        for index in 0..<3 {
            limbs[lowestBit / 32 + index] +=
                sign * Int64((shifted >> (32 * index)) & 0xFFFF_FFFF)
        }
        additions += 1
        if additions >= Self.mostAdditions { carry() }
    }

    /// Leaves 32 bits in each limb except the last one, which keeps the sign.
    private mutating func carry() {
        for index in 0..<(Self.count - 1) {
            limbs[index + 1] += limbs[index] >> 32
            limbs[index] &= 0xFFFF_FFFF
        }
        additions = 0
    }

    /// The sum, rounded once; an infinity if it is too large for a double.
    var value: Double {
        if special != 0 { return special }
        var sum = self
        sum.carry()
        let isNegative = sum.limbs[Self.count - 1] < 0
        if isNegative {
            for index in sum.limbs.indices { sum.limbs[index].negate() }
            sum.carry()
        }
        guard let top = sum.limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
        let start = max(0, top - 2)
        var leading: UInt128 = 0
        for index in stride(from: top, through: start, by: -1) {
            leading = leading << 32 | UInt128(sum.limbs[index])
        }
        // The bits below matter only if the leading bits are exactly halfway between two doubles.
        if sum.limbs[..<start].contains(where: { $0 != 0 }) { leading |= 1 }
        let size = Double(
            sign: .plus, exponent: Self.lowest + 32 * start, significand: Double(leading))
        return isNegative ? -size : size
    }
}

extension ExactSum {
    func adding(_ value: Double) -> ExactSum {
        var copy = self
        copy.add(value)
        return copy
    }
}
