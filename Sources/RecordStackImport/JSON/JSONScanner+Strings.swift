extension JSONScanner {
    /// Reads the string whose content begins at `begin` into `text`.
    ///
    /// - Returns: the position after the closing quote; nil if the bytes end before it.
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

    /// Returns the position after the string whose content begins at `begin`, without its text.
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

    /// Reads a string with escapes into the scratch memory.
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

    /// Checks the length of a string that is cut off, which may already be over the limit.
    @inline(never)
    private func cutOff(
        _ begin: UnsafePointer<UInt8>
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        guard end - begin <= limits.stringLength else { throw tooLong(begin, isNumber: false) }
        return nil
    }

    /// Returns the next quote or backslash, with only valid text before it; nil if there is none.
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
            // This is a special byte, or one of the last seven bytes, which are checked one by one.
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

    /// Returns eight bytes as an integer, the first byte lowest.
    @inline(__always)
    static func word(at pointer: UnsafePointer<UInt8>) -> UInt64 {
        // The callers have checked that eight bytes exist, and `loadUnaligned` needs no alignment.
        UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
    }

    /// Returns the top bit of each byte that ends a run of plain text.
    ///
    /// These bytes are quotes, backslashes, and bytes below 0x20 or from 0x80 on. Only the lowest
    /// such bit is reliable, because a borrow from a lower byte may set higher bits.
    @inline(__always)
    private static func special(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = (word ^ (ones &* 0x22)) &- ones
        let backslashes = (word ^ (ones &* 0x5C)) &- ones
        let controls = word &- (ones &* 0x20)
        return (quotes | backslashes | controls | word) & (ones &* 0x80)
    }
}
