/// A number of a text: as it is written, and as what it can be read exactly.
///
/// Reading it costs nothing until one of the values is asked for.
package struct JSONNumber {
    /// The bytes of the number in the text. Valid as long as those the scanner reads.
    package let raw: UnsafeRawBufferPointer
    /// Whether it is written as an integer: with neither a point nor an exponent.
    package let isInteger: Bool
    /// Whether it is written with a minus, which `-0` is too.
    package let isNegative: Bool

    /// The digits as one integer, and the power of ten to multiply it by. The digits are all
    /// there if `isExact`, and the magnitude means nothing if not.
    let magnitude: UInt64
    let exponent: Int32
    let isExact: Bool

    /// The number as an `Int64`, where it is one: `12`, and also `12.0` and `1.2e1`.
    ///
    /// Nil where it has a fraction or does not fit. A caller that wants only what is written as
    /// an integer asks `isInteger` too.
    package var int64: Int64? {
        guard let whole else { return nil }
        guard isNegative else { return Int64(exactly: whole) }
        return whole <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- whole) : nil
    }

    /// The number as a `UInt64`, where it is one. `-0` is 0.
    package var uint64: UInt64? {
        guard let whole, !isNegative || whole == 0 else { return nil }
        return whole
    }

    /// The nearest `Double`: to even where two are as near, infinite beyond the largest.
    package var double: Double {
        guard isExact else { return writtenDouble }
        guard magnitude != 0 else { return isNegative ? -0.0 : 0 }
        let value: Double
        switch exponent {
        case 0:
            value = Double(magnitude)
        case -22...22 where magnitude <= 1 << 53:
            value = scaledOnce
        case -19..<0:
            value = ExactQuotient.nearest(
                UInt128(magnitude), over: ExactQuotient.powerOfTen(-Int(exponent)))
        case 1...19:
            let power = ExactQuotient.powerOfTen(Int(exponent))
            value = ExactQuotient.nearest(UInt128(magnitude) * UInt128(power), over: 1)
        default:
            return writtenDouble
        }
        return isNegative ? -value : value
    }

    /// The text of the number, as it is written. Allocates where it is longer than 15 bytes.
    package var text: String { String(decoding: raw, as: UTF8.self) }
}

extension JSONNumber {
    /// The powers of ten that a `Double` holds exactly.
    private static let exactPowers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// Both factors are exact, so the one multiplication or division rounds to the nearest.
    private var scaledOnce: Double {
        let digits = Double(magnitude)
        return exponent < 0
            ? digits / Self.exactPowers[-Int(exponent)] : digits * Self.exactPowers[Int(exponent)]
    }

    /// The way for everything that the exact ones do not cover. Every number of the grammar is
    /// one that `Double.init` reads, so the NaN is never seen.
    private var writtenDouble: Double { Double(text) ?? .nan }

    /// The absolute value, where it is an integer of 64 bits.
    private var whole: UInt64? {
        guard isExact else { return wholeOfManyDigits }
        return exponent == 0 ? magnitude : Self.scale(magnitude, by: Int(exponent))
    }

    /// Reads the digits again, without the zeros at either end, which may be what makes them many.
    private var wholeOfManyDigits: UInt64? {
        var digits: UInt64 = 0
        var zeros = 0
        for byte in raw {
            guard byte | 0x20 != UInt8(ascii: "e") else { break }
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { continue }
            guard digit != 0 else {
                if digits != 0 { zeros += 1 }
                continue
            }
            guard let shifted = Self.scale(digits, by: zeros + 1) else { return nil }
            let (sum, overflow) = shifted.addingReportingOverflow(UInt64(digit))
            guard !overflow else { return nil }
            digits = sum
            zeros = 0
        }
        return Self.scale(digits, by: zeros + Int(exponent))
    }

    /// `digits` times a power of ten, where that is an integer of 64 bits.
    private static func scale(_ digits: UInt64, by exponent: Int) -> UInt64? {
        guard digits != 0 else { return 0 }
        guard (-19...19).contains(exponent) else { return nil }
        let power = ExactQuotient.powerOfTen(abs(exponent))
        if exponent < 0 {
            let (quotient, rest) = digits.quotientAndRemainder(dividingBy: power)
            return rest == 0 ? quotient : nil
        }
        let (product, overflow) = digits.multipliedReportingOverflow(by: power)
        return overflow ? nil : product
    }
}
