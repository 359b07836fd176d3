/// A number in a text: as it is written, and as the values that represent it exactly.
///
/// The number is converted only when you read one of the values.
package struct JSONNumber {
    /// The bytes of the number in the text, valid as long as the scanner's bytes.
    package let raw: UnsafeRawBufferPointer
    /// Whether the number is written as an integer, with neither a point nor an exponent.
    package let isInteger: Bool
    /// Whether the number is written with a minus, which includes `-0`.
    package let isNegative: Bool

    /// The digits as an integer, and below it the power of ten by which to multiply it.
    ///
    /// They have all digits if `isExact` is true. Otherwise the magnitude is meaningless.
    let magnitude: UInt64
    let exponent: Int32
    let isExact: Bool

    /// The number as an `Int64`, if it is one: `12`, and also `12.0` and `1.2e1`.
    ///
    /// Nil if it has a fraction or does not fit. Check `isInteger` as well if only a number that is
    /// written as an integer is acceptable.
    package var int64: Int64? {
        guard let whole else { return nil }
        guard isNegative else { return Int64(exactly: whole) }
        return whole <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- whole) : nil
    }

    /// The number as a `UInt64`, if it is one. `-0` is 0.
    package var uint64: UInt64? {
        guard let whole, !isNegative || whole == 0 else { return nil }
        return whole
    }

    /// The nearest `Double`; ties go to even. Infinite beyond the largest `Double`.
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

    /// The text of the number as written. Allocates if it is longer than 15 bytes.
    package var text: String { String(decoding: raw, as: UTF8.self) }
}

extension JSONNumber {
    /// The powers of ten that a `Double` holds exactly.
    private static let exactPowers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// The value by one operation on two exact factors, which rounds to the nearest.
    private var scaledOnce: Double {
        let digits = Double(magnitude)
        return exponent < 0
            ? digits / Self.exactPowers[-Int(exponent)] : digits * Self.exactPowers[Int(exponent)]
    }

    /// The value of the number's text, for numbers that the exact methods do not cover.
    ///
    /// `Double.init` reads every number of the grammar, so the NaN never occurs.
    private var writtenDouble: Double { Double(text) ?? .nan }

    /// The absolute value, if it is an integer of 64 bits.
    private var whole: UInt64? {
        guard isExact else { return wholeOfManyDigits }
        return exponent == 0 ? magnitude : Self.scale(magnitude, by: Int(exponent))
    }

    /// The integer of a number with many digits, read again without leading and trailing zeros.
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

    /// Returns `digits` times a power of ten, if that is an integer of 64 bits.
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
