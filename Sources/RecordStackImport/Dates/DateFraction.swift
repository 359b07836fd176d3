/// The digits after a decimal point of a second, as many as there are.
struct DateFraction {
    /// The first 18 digits as an integer, and how many they are.
    var digits: UInt64 = 0
    var count = 0
    /// All the digits, where one after the 18th is not 0.
    var long: UnsafeRawBufferPointer?

    init() {}

    /// The fraction these digits write. They have to stay where they are while it is used.
    init(_ text: UnsafeRawBufferPointer) {
        for byte in text.prefix(Self.most) { digits = digits * 10 + UInt64(byte & 0x0F) }
        count = min(text.count, Self.most)
        if text.count > Self.most, text.dropFirst(Self.most).contains(where: { $0 & 0x0F != 0 }) {
            long = text
        }
    }

    /// 10^18 seconds fit a `UInt64`, and a moment of the calendar times that a `UInt128`.
    private static let most = 18

    var isZero: Bool { digits == 0 && long == nil }

    /// The `Double` nearest to `seconds` and this fraction together.
    ///
    /// The seconds have to be those of the calendar's years: fewer than 2^53 by far.
    func added(to seconds: Int) -> Double {
        guard count > 0 else { return Double(seconds) }
        if let long { return Self.sum(seconds, long) }
        let power = ExactQuotient.powerOfTen(count)
        // Where the sum is an exact Double too, the one division rounds to the nearest.
        if count <= 6, abs(seconds) < 9_000_000_000 {
            return Double(seconds * Int(power) + Int(digits)) / Double(power)
        }
        let sum = Int128(seconds) * Int128(power) + Int128(digits)
        let nearest = ExactQuotient.nearest(sum.magnitude, over: power)
        return sum < 0 ? -nearest : nearest
    }

    /// The sum with more digits than fit: written out in decimal, and read as such.
    private static func sum(_ seconds: Int, _ digits: UnsafeRawBufferPointer) -> Double {
        var fraction = digits.map { $0 & 0x0F }
        while fraction.last == 0 { fraction.removeLast() }
        if seconds < 0 {
            // -5 + 0.25 is -(4 + 0.75): the fraction's complement to one.
            for index in fraction.indices { fraction[index] = 9 - fraction[index] }
            fraction[fraction.count - 1] += 1
        }
        let whole = seconds < 0 ? -(seconds + 1) : seconds
        let text = "\(whole)." + fraction.map { String($0) }.joined()
        // Digits, a point and digits are what `Double.init` reads, so the NaN is never seen.
        let nearest = Double(text) ?? .nan
        return seconds < 0 ? -nearest : nearest
    }
}
