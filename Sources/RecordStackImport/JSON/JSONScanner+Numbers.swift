extension JSONScanner {
    /// The digits of a number, as one integer and a power of ten.
    struct Digits {
        var magnitude: UInt64 = 0
        var exponent: Int32 = 0
        var count = 0
        var isInteger = true
    }

    /// Reads the number at `begin` into `number`.
    ///
    /// Answers the place after it, or nil if the bytes ran out or the number may still go on.
    @inline(__always)
    mutating func scanNumber(
        _ begin: UnsafePointer<UInt8>
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        var digits = Digits()
        guard let after = try numberEnd(begin, &digits) else { return nil }
        number = JSONNumber(
            raw: UnsafeRawBufferPointer(start: begin, count: after - begin),
            isInteger: digits.isInteger, isNegative: begin.pointee == UInt8(ascii: "-"),
            magnitude: digits.magnitude, exponent: digits.exponent,
            // Any 19 digits fit 64 bits.
            isExact: digits.count <= 19)
        return after
    }

    /// The end of the number at `begin`, whose digits are gathered on the way.
    @inline(__always)
    mutating func numberEnd(
        _ begin: UnsafePointer<UInt8>, _ digits: inout Digits
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        var place = begin
        if place.pointee == UInt8(ascii: "-") { place += 1 }
        guard place < end else { return nil }
        if place.pointee == UInt8(ascii: "0") {
            place += 1
        } else {
            guard let after = try run(place, &digits) else { return nil }
            place = after
        }
        if place < end, place.pointee == UInt8(ascii: ".") {
            digits.isInteger = false
            guard let after = try run(place + 1, &digits) else { return nil }
            digits.exponent = Int32(truncatingIfNeeded: place + 1 - after)
            place = after
        }
        if place < end, place.pointee | 0x20 == UInt8(ascii: "e") {
            digits.isInteger = false
            guard let after = try exponentEnd(place + 1, &digits) else { return nil }
            place = after
        }
        guard place - begin <= limits.numberLength else { throw tooLong(begin, isNumber: true) }
        // A number at the very end of a piece may have its next digit in the one to come.
        guard place < end else { return isComplete ? place : nil }
        guard !Self.continuesWord(place.pointee) else { throw afterNumber(place) }
        return place
    }

    /// Past one digit or more. Nil if the bytes ran out before the first.
    @inline(__always)
    private mutating func run(
        _ begin: UnsafePointer<UInt8>, _ digits: inout Digits
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        var place = begin
        while place < end {
            let digit = place.pointee &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            digits.magnitude = digits.magnitude &* 10 &+ UInt64(digit)
            place += 1
        }
        guard place > begin else {
            guard begin < end else { return nil }
            throw unexpected(begin, .digit, .badNumber)
        }
        digits.count += place - begin
        return place
    }

    /// Reads the exponent after its `e`.
    private mutating func exponentEnd(
        _ begin: UnsafePointer<UInt8>, _ digits: inout Digits
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        guard begin < end else { return nil }
        let isNegative = begin.pointee == UInt8(ascii: "-")
        let hasSign = isNegative || begin.pointee == UInt8(ascii: "+")
        let first = hasSign ? begin + 1 : begin
        guard first < end else { return nil }
        var place = first
        var value: Int32 = 0
        while place < end, place.pointee &- UInt8(ascii: "0") <= 9 {
            // Far beyond every Double, and far from overflowing with the digits' own exponent.
            value = min(value * 10 + Int32(place.pointee - UInt8(ascii: "0")), 100_000_000)
            place += 1
        }
        guard place > first else { throw unexpected(first, .digit, .badNumber) }
        digits.exponent += isNegative ? -value : value
        return place
    }

    /// Whether a byte right after a number or a literal would be part of the same word.
    @inline(__always)
    static func continuesWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    @inline(never)
    private func afterNumber(_ place: UnsafePointer<UInt8>) -> JSONError {
        unexpected(place, .delimiter, .badNumber)
    }
}
