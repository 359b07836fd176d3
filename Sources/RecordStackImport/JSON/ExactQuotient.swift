/// Division whose result is rounded once, and so is the nearest `Double` to the true quotient.
///
/// Decimals and dates both need it: a value that is first rounded, then divided, then added to
/// is off in its last bit often enough to make two equal moments differ.
enum ExactQuotient {
    /// The powers of ten that fit a `UInt64`.
    private static let powers: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
        10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000,
        100_000_000_000_000, 1_000_000_000_000_000, 10_000_000_000_000_000,
        100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]

    /// Ten to the power of `exponent`, which has to be in 0...19.
    @inline(__always) static func powerOfTen(_ exponent: Int) -> UInt64 { powers[exponent] }

    /// The `Double` nearest to `numerator * 2^scale / divisor`, to even where two are as near.
    ///
    /// The divisor is not 0, and `scale` is within ±512: with 128 bits above and 64 below, the
    /// result can then be neither subnormal nor infinite, so that 53 bits are all it has.
    static func nearest(_ numerator: UInt128, over divisor: UInt64, scale: Int = 0) -> Double {
        guard numerator != 0 else { return 0 }
        let shift = numerator.leadingZeroBitCount
        // The quotient of a number with its top bit set has at least 64 bits: 11 to round with.
        let (quotient, rest) = (numerator << shift).quotientAndRemainder(
            dividingBy: UInt128(divisor))
        let dropped = 128 - quotient.leadingZeroBitCount - 53
        let kept = UInt64(truncatingIfNeeded: quotient >> dropped)
        let tail = quotient & ((1 << dropped) - 1)
        let half = (1 as UInt128) << (dropped - 1)
        let goesUp = tail > half || (tail == half && (rest != 0 || kept & 1 == 1))
        return Double(kept + (goesUp ? 1 : 0)) * powerOfTwo(dropped - shift + scale)
    }

    private static func powerOfTwo(_ exponent: Int) -> Double {
        Double(bitPattern: UInt64(exponent + 1023) << 52)
    }
}
