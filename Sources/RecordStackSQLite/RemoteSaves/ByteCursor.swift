/// Reads numbers of few bytes in sequence. It terminates on any input.
struct ByteCursor {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var remaining: Int { bytes.count }

    mutating func byte() -> UInt8? { bytes.popFirst() }

    /// Reads a number with seven bits in each byte, the lowest first.
    mutating func varint() -> UInt64? {
        var (value, shift) = (UInt64(0), UInt64(0))
        while let byte = bytes.popFirst(), shift < 64 {
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    /// Reads a length, and that many bytes.
    mutating func chunk() -> ArraySlice<UInt8>? {
        guard let length = varint(), length <= UInt64(bytes.count) else { return nil }
        defer { bytes = bytes.dropFirst(Int(length)) }
        return bytes.prefix(Int(length))
    }
}

/// A number in one to ten bytes with seven bits in each, the lowest first.
struct Varint {
    private let value: UInt64

    init(_ value: UInt64) { self.value = value }

    /// The number of bytes.
    var size: Int { (70 - (value | 1).leadingZeroBitCount) / 7 }

    /// Writes the number at an offset, and moves the offset past it.
    func write(to bytes: UnsafeMutableRawBufferPointer, at offset: inout Int) {
        forEachByte { byte in
            bytes[offset] = byte
            offset += 1
        }
    }

    @inline(__always)
    fileprivate func forEachByte(_ body: (UInt8) -> Void) {
        var rest = value
        while rest >= 0x80 {
            body(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        body(UInt8(rest))
    }
}

extension [UInt8] {
    mutating func appendVarint(_ value: UInt64) { Varint(value).forEachByte { append($0) } }
}
