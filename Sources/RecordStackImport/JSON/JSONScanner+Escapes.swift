extension JSONScanner {
    /// The scalar of an escape, and the position after the escape.
    struct Escape {
        var scalar: UInt32
        var after: UnsafePointer<UInt8>
    }

    /// Reads the escape at `backslash`. Nil if the bytes end within it.
    @inline(never)
    mutating func scanEscape(_ backslash: UnsafePointer<UInt8>) throws(JSONError) -> Escape? {
        let kind = backslash + 1
        guard kind < end else { return nil }
        let scalar: UInt32
        switch kind.pointee {
        case UInt8(ascii: "\""): scalar = 0x22
        case UInt8(ascii: "\\"): scalar = 0x5C
        case UInt8(ascii: "/"): scalar = 0x2F
        case UInt8(ascii: "n"): scalar = 0x0A
        case UInt8(ascii: "t"): scalar = 0x09
        case UInt8(ascii: "r"): scalar = 0x0D
        case UInt8(ascii: "b"): scalar = 0x08
        case UInt8(ascii: "f"): scalar = 0x0C
        case UInt8(ascii: "u"): return try scanUnicodeEscape(backslash)
        default: throw unexpected(kind, .escape, .badEscape)
        }
        return Escape(scalar: scalar, after: kind + 1)
    }

    /// Reads `\uXXXX`, and a second escape if the first is half of a surrogate pair.
    private mutating func scanUnicodeEscape(_ backslash: UnsafePointer<UInt8>) throws(JSONError)
        -> Escape?
    {
        guard let high = try hexUnit(backslash + 2) else { return nil }
        guard high & 0xF800 == 0xD800 else { return Escape(scalar: high, after: backslash + 6) }
        guard high < 0xDC00 else { throw loneSurrogate(backslash, high) }
        let second = backslash + 6
        guard second < end else { return nil }
        guard second.pointee == UInt8(ascii: "\\") else { throw loneSurrogate(backslash, high) }
        guard second + 1 < end else { return nil }
        guard second[1] == UInt8(ascii: "u") else { throw loneSurrogate(backslash, high) }
        guard let low = try hexUnit(second + 2) else { return nil }
        guard low & 0xFC00 == 0xDC00 else { throw loneSurrogate(backslash, high) }
        let scalar = 0x1_0000 + (high & 0x3FF) << 10 + (low & 0x3FF)
        return Escape(scalar: scalar, after: second + 6)
    }

    /// Returns the value of four hexadecimal digits.
    private mutating func hexUnit(_ begin: UnsafePointer<UInt8>) throws(JSONError) -> UInt32? {
        var unit: UInt32 = 0
        for index in 0..<4 {
            guard begin + index < end else { return nil }
            let byte = begin[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(byte - 0x30)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(byte - 0x57)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(byte - 0x37)
            default: throw unexpected(begin + index, .hexDigit, .badEscape)
            }
        }
        return unit
    }
}
