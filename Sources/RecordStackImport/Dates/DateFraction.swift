/// The digits after the decimal point of a second, without a limit on their number.
struct DateFraction {
    /// The first 18 digits as an integer, and below it the number of these digits.
    var digits: UInt64 = 0
    var count = 0
    /// All the digits if one after the 18th is not 0.
    var long: UnsafeRawBufferPointer?

    init() {}

    /// Creates the fraction from its digits, which must stay in memory while it is in use.
    init(_ text: UnsafeRawBufferPointer) {
        for byte in text.prefix(Self.most) { digits = digits * 10 + UInt64(byte & 0x0F) }
        count = min(text.count, Self.most)
        if text.count > Self.most, text.dropFirst(Self.most).contains(where: { $0 & 0x0F != 0 }) {
            long = text
        }
    }

    /// The number of digits kept as an integer.
    ///
    /// 10^18 fits a `UInt64`, and the seconds of the calendar's years times 10^18 fit an `Int128`.
    private static let most = 18

    var isZero: Bool { digits == 0 && long == nil }

    /// Returns the `Double` nearest to the sum of `seconds` and this fraction.
    ///
    /// - Parameter seconds: seconds within the calendar's years, which are far fewer than 2^53.
    func added(to seconds: Int) -> Double {
        guard count > 0 else { return Double(seconds) }
        if let long { return Self.sum(seconds, long) }
        let power = ExactQuotient.powerOfTen(count)
        // Numerator and divisor are exact Doubles here, so the one division rounds to the nearest.
        if count <= 6, abs(seconds) < 9_000_000_000 {
            return Double(seconds * Int(power) + Int(digits)) / Double(power)
        }
        let sum = Int128(seconds) * Int128(power) + Int128(digits)
        let nearest = ExactQuotient.nearest(sum.magnitude, over: power)
        return sum < 0 ? -nearest : nearest
    }

    /// Returns the sum for a fraction of more than 18 digits, by way of its decimal text.
    private static func sum(_ seconds: Int, _ digits: UnsafeRawBufferPointer) -> Double {
        var fraction = digits.map { $0 & 0x0F }
        while fraction.last == 0 { fraction.removeLast() }
        if seconds < 0 {
            // -5 + 0.25 is -(4 + 0.75), so the fraction becomes its complement to one.
            for index in fraction.indices { fraction[index] = 9 - fraction[index] }
            fraction[fraction.count - 1] += 1
        }
        let whole = seconds < 0 ? -(seconds + 1) : seconds
        let text = "\(whole)." + fraction.map { String($0) }.joined()
        // `Double.init` reads digits, a point and digits, so the NaN never occurs.
        let nearest = Double(text) ?? .nan
        return seconds < 0 ? -nearest : nearest
    }
}
