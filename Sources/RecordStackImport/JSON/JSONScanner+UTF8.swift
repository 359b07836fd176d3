extension JSONScanner {
    /// Returns the position after the bytes from 0x80 on at `begin`, which must be valid UTF-8.
    ///
    /// Nil if the bytes end within the last sequence, and the sequence is valid so far.
    @inline(never)
    mutating func skipNonASCII(_ begin: UnsafePointer<UInt8>) throws(JSONError) -> UnsafePointer<
        UInt8
    >? {
        var pointer = begin
        while pointer < end, pointer.pointee >= 0x80 {
            let lead = pointer.pointee
            let count = Self.sequenceLength(lead)
            guard count > 0 else { throw invalidUTF8(pointer) }
            guard pointer + 1 < end else { return nil }
            // Only the second byte can make a sequence overlong, a surrogate or too large.
            guard Self.secondBytes(lead).contains(pointer[1]) else {
                throw invalidUTF8(pointer + 1)
            }
            for index in 2..<max(2, count) {
                guard pointer + index < end else { return nil }
                guard pointer[index] & 0xC0 == 0x80 else { throw invalidUTF8(pointer + index) }
            }
            pointer += count
        }
        return pointer
    }

    /// Returns the number of bytes in a sequence that begins with this byte; 0 if no sequence does.
    @inline(__always)
    private static func sequenceLength(_ lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    @inline(__always)
    private static func secondBytes(_ lead: UInt8) -> ClosedRange<UInt8> {
        switch lead {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
    }
}
