extension JSONScanner {
    /// Reads the string whose text begins at `begin` into `text`.
    ///
    /// Returns the end of the string, after the closing quote, or nil if the bytes ran out.
    @inline(__always)
    mutating func scanString(
        _ begin: UnsafePointer<UInt8>
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        guard let stop = try plainEnd(from: begin) else { return try cutOff(begin) }
        guard stop.pointee == UInt8(ascii: "\"") else {
            return try scanEscapedString(begin, firstEscape: stop)
        }
        guard stop - begin <= limits.stringLength else { throw tooLong(begin, isNumber: false) }
        text = UnsafeRawBufferPointer(start: begin, count: stop - begin)
        return stop + 1
    }

    /// Past the string whose text begins at `begin`, without putting its text together.
    @inline(__always)
    mutating func skipString(
        _ begin: UnsafePointer<UInt8>
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        var pointer = begin
        while let stop = try plainEnd(from: pointer) {
            if stop.pointee == UInt8(ascii: "\"") {
                guard stop - begin <= limits.stringLength else {
                    throw tooLong(begin, isNumber: false)
                }
                return stop + 1
            }
            guard let escape = try scanEscape(stop) else { break }
            pointer = escape.after
        }
        return try cutOff(begin)
    }

    /// Joins what is between the escapes and what the escapes stand for.
    @inline(never)
    private mutating func scanEscapedString(
        _ begin: UnsafePointer<UInt8>, firstEscape: UnsafePointer<UInt8>
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        scratch.removeAll()
        var pointer = begin
        var stop = firstEscape
        while stop.pointee != UInt8(ascii: "\"") {
            scratch.append(from: pointer, to: stop)
            guard let escape = try scanEscape(stop) else { return try cutOff(begin) }
            scratch.append(scalar: escape.scalar)
            pointer = escape.after
            guard let nextStop = try plainEnd(from: pointer) else { return try cutOff(begin) }
            stop = nextStop
        }
        guard stop - begin <= limits.stringLength else { throw tooLong(begin, isNumber: false) }
        scratch.append(from: pointer, to: stop)
        text = UnsafeRawBufferPointer(start: scratch.start, count: scratch.count)
        return stop + 1
    }

    /// A string that is cut off may still be too long already, whatever follows.
    @inline(never)
    private func cutOff(
        _ begin: UnsafePointer<UInt8>
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        guard end - begin <= limits.stringLength else { throw tooLong(begin, isNumber: false) }
        return nil
    }

    /// The next quote or backslash, with nothing but valid text before it; nil if there is none.
    @inline(__always)
    private mutating func plainEnd(
        from begin: UnsafePointer<UInt8>
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        var pointer = begin
        while true {
            while end - pointer >= 8 {
                let special = Self.special(in: Self.word(at: pointer))
                guard special == 0 else {
                    pointer += special.trailingZeroBitCount >> 3
                    break
                }
                pointer += 8
            }
            // Here is a special byte, or one of the last seven, which are looked at one by one.
            guard pointer < end else { return nil }
            switch pointer.pointee {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): return pointer
            case ..<0x20: throw controlCharacter(pointer)
            case 0x80...:
                guard let after = try skipNonASCII(pointer) else { return nil }
                pointer = after
            default: pointer += 1
            }
        }
    }

    /// Eight bytes, the first of them lowest.
    @inline(__always)
    static func word(at pointer: UnsafePointer<UInt8>) -> UInt64 {
        // The callers have made sure of eight bytes, and `loadUnaligned` asks for no alignment.
        UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
    }

    /// The top bit of each byte that ends a run of plain text: a quote, a backslash, one below
    /// 0x20 or one of 0x80 and more. Only the lowest such bit is to be trusted: a borrow from the
    /// byte below may set those above it.
    @inline(__always)
    private static func special(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = (word ^ (ones &* 0x22)) &- ones
        let backslashes = (word ^ (ones &* 0x5C)) &- ones
        let controls = word &- (ones &* 0x20)
        return (quotes | backslashes | controls | word) & (ones &* 0x80)
    }
}
