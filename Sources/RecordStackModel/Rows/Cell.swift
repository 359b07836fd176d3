import RecordStackPlatform

/// One value of a row on its way between store and object: a tag and a payload, 16 bytes.
///
/// Text and bytes are an address and a length. The creator of the row keeps their memory alive for
/// as long as the row may be read.
@frozen
@usableFromInline
package struct Cell {
    /// The integer, the bits of the real, or the address of the bytes.
    @usableFromInline package var bits: UInt64
    /// The number of bytes of text or a blob.
    @usableFromInline package var length: Int32
    @usableFromInline package var tag: Tag

    @frozen
    @usableFromInline
    package enum Tag: UInt8 {
        case null, integer, real, text, blob
    }

    @inlinable
    package init(bits: UInt64, length: Int32 = 0, tag: Tag) {
        self.bits = bits
        self.length = length
        self.tag = tag
    }

    @inlinable package static var null: Cell { Cell(bits: 0, tag: .null) }

    @inlinable
    package static func integer(_ value: Int64) -> Cell {
        Cell(bits: UInt64(bitPattern: value), tag: .integer)
    }

    /// Returns a real as SQLite stores it: NaN becomes null, and −0.0 becomes 0.0.
    @inlinable
    package static func real(_ value: Double) -> Cell {
        value.isNaN ? .null : Cell(bits: (value == 0 ? 0.0 : value).bitPattern, tag: .real)
    }

    /// The bytes of a text or blob cell.
    @inlinable
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: UnsafeRawPointer(bitPattern: UInt(bits)), count: Int(length))
    }

    /// The integer of an integer cell.
    @inlinable package var integer: Int64 { Int64(bitPattern: bits) }

    /// The real of a real cell.
    @inlinable package var real: Double { Double(bitPattern: bits) }

    /// The value, copied out of the row.
    ///
    /// Text that is not UTF-8 becomes bytes, which no text attribute accepts.
    package var storedValue: StoredValue {
        switch tag {
        case .null: .null
        case .integer: .integer(integer)
        case .real: .real(real)
        case .text: StoredValue(text: bytes)
        case .blob: .blob([UInt8](bytes))
        }
    }

    /// Whether both cells store the same value.
    package func isSame(as other: Cell) -> Bool {
        guard tag == other.tag else { return false }
        switch tag {
        case .null: return true
        case .integer: return bits == other.bits
        case .real: return real == other.real
        case .text, .blob:
            guard length == other.length else { return false }
            guard let ours = bytes.baseAddress, let theirs = other.bytes.baseAddress else {
                return length == 0
            }
            return Bytes.areEqual(ours, theirs, count: Int(length))
        }
    }
}
