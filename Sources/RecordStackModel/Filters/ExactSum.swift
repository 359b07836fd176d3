/// A sum of reals without rounding on the way: one number of 2,176 bits, which holds every sum of doubles.
///
/// So the result is the same in whatever order the numbers come, and whichever part of them is added up by
/// SQLite.
struct ExactSum {
    /// 32 bits each, the lowest first, in units of the smallest double. They go beyond 32 bits until they are
    /// carried over.
    private var limbs = [Int64](repeating: 0, count: Self.count)
    private var additions = 0
    /// Infinities, and what comes of them.
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

    /// Leaves 32 bits in each limb but the last, which has the sign.
    private mutating func carry() {
        for index in 0..<(Self.count - 1) {
            limbs[index + 1] += limbs[index] >> 32
            limbs[index] &= 0xFFFF_FFFF
        }
        additions = 0
    }

    /// The sum, rounded once; an infinity where it is too large for a double.
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
        // What lies below decides only where the leading bits are halfway.
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
