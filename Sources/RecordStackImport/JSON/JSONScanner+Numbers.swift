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
    /// - Returns: the end of the number; nil if the bytes end within it or if it may
    ///   continue after them.
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
            // Any 19 digits fit in 64 bits.
            isExact: digits.count <= 19)
        return after
    }

    /// Returns the end of the number at `begin`, and collects its digits.
    @inline(__always)
    mutating func numberEnd(
        _ begin: UnsafePointer<UInt8>, _ digits: inout Digits
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        var pointer = begin
        if pointer.pointee == UInt8(ascii: "-") { pointer += 1 }
        guard pointer < end else { return nil }
        if pointer.pointee == UInt8(ascii: "0") {
            pointer += 1
        } else {
            guard let after = try run(pointer, &digits) else { return nil }
            pointer = after
        }
        if pointer < end, pointer.pointee == UInt8(ascii: ".") {
            digits.isInteger = false
            guard let after = try run(pointer + 1, &digits) else { return nil }
            digits.exponent = Int32(truncatingIfNeeded: pointer + 1 - after)
            pointer = after
        }
        if pointer < end, pointer.pointee | 0x20 == UInt8(ascii: "e") {
            digits.isInteger = false
            guard let after = try exponentEnd(pointer + 1, &digits) else { return nil }
            pointer = after
        }
        guard pointer - begin <= limits.numberLength else { throw tooLong(begin, isNumber: true) }
        // A number at the end of a piece may continue in the next piece.
        guard pointer < end else { return isComplete ? pointer : nil }
        guard !Self.continuesWord(pointer.pointee) else { throw afterNumber(pointer) }
        return pointer
    }

    /// Skips one or more digits. Returns nil if the bytes end before the first one.
    @inline(__always)
    private mutating func run(
        _ begin: UnsafePointer<UInt8>, _ digits: inout Digits
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        var pointer = begin
        while pointer < end {
            let digit = pointer.pointee &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            digits.magnitude = digits.magnitude &* 10 &+ UInt64(digit)
            pointer += 1
        }
        guard pointer > begin else {
            guard begin < end else { return nil }
            throw unexpected(begin, .digit, .badNumber)
        }
        digits.count += pointer - begin
        return pointer
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
        var pointer = first
        var value: Int32 = 0
        while pointer < end, pointer.pointee &- UInt8(ascii: "0") <= 9 {
            // The limit is far beyond every Double, and the sum with the digits' own exponent
            // cannot overflow.
            value = min(value * 10 + Int32(pointer.pointee - UInt8(ascii: "0")), 100_000_000)
            pointer += 1
        }
        guard pointer > first else { throw unexpected(first, .digit, .badNumber) }
        digits.exponent += isNegative ? -value : value
        return pointer
    }

    /// Whether a byte directly after a number or a literal would be part of the same word.
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
    private func afterNumber(_ pointer: UnsafePointer<UInt8>) -> JSONError {
        unexpected(pointer, .delimiter, .badNumber)
    }
}
