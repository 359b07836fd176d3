/// A division that rounds only once, so that the result is the `Double` nearest to the quotient.
///
/// Decimals and dates need it. A value that is rounded first, then divided, then added to, is often
/// off in its last bit, so that two equal moments would differ.
enum ExactQuotient {
    /// The powers of ten that fit a `UInt64`.
    private static let powers: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
        10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000,
        100_000_000_000_000, 1_000_000_000_000_000, 10_000_000_000_000_000,
        100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]

    /// Returns ten to the power of `exponent`, which must be in 0...19.
    @inline(__always) static func powerOfTen(_ exponent: Int) -> UInt64 { powers[exponent] }

    /// Returns the `Double` nearest to `numerator * 2^scale / divisor`; ties go to even.
    ///
    /// The divisor must not be 0, and `scale` must be within ±512. With 128 bits above and 64
    /// below, the result is then neither subnormal nor infinite, so it has exactly 53 bits.
    static func nearest(_ numerator: UInt128, over divisor: UInt64, scale: Int = 0) -> Double {
        guard numerator != 0 else { return 0 }
        let shift = numerator.leadingZeroBitCount
        // The numerator has its top bit set, so the quotient has at least 64 bits: 11
        // remain for rounding.
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
