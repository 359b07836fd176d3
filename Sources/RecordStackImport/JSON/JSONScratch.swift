/// Memory in which strings with escapes are decoded, and which is reused.
struct JSONScratch: ~Copyable {
    private(set) var base: UnsafeMutablePointer<UInt8>?
    private(set) var count = 0
    private var capacity = 0

    init() {}

    deinit { base?.deallocate() }

    /// The first byte. It exists as soon as anything has been appended.
    var start: UnsafePointer<UInt8> { UnsafePointer(base!) }

    mutating func removeAll() { count = 0 }

    mutating func append(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) {
        let added = end - start
        let target = room(for: added)
        target.initialize(from: start, count: added)
        count += added
    }

    /// Appends the UTF-8 of a scalar value, which must be no surrogate and at most 0x10FFFF.
    mutating func append(scalar: UInt32) {
        let target = room(for: 4)
        switch scalar {
        case ..<0x80:
            target[0] = UInt8(scalar)
            count += 1
        case ..<0x800:
            target[0] = 0xC0 | UInt8(scalar >> 6)
            target[1] = Self.continuation(scalar)
            count += 2
        case ..<0x1_0000:
            target[0] = 0xE0 | UInt8(scalar >> 12)
            target[1] = Self.continuation(scalar >> 6)
            target[2] = Self.continuation(scalar)
            count += 3
        default:
            target[0] = 0xF0 | UInt8(scalar >> 18)
            target[1] = Self.continuation(scalar >> 12)
            target[2] = Self.continuation(scalar >> 6)
            target[3] = Self.continuation(scalar)
            count += 4
        }
    }

    private static func continuation(_ bits: UInt32) -> UInt8 {
        0x80 | UInt8(truncatingIfNeeded: bits & 0x3F)
    }

    /// Returns the position to write at, with space for `added` more bytes.
    private mutating func room(for added: Int) -> UnsafeMutablePointer<UInt8> {
        if let base, capacity - count >= added { return base + count }
        return grow(by: added)
    }

    @inline(never) private mutating func grow(by added: Int) -> UnsafeMutablePointer<UInt8> {
        capacity = max(256, capacity * 2, count + added)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        if let base {
            larger.initialize(from: base, count: count)
            base.deallocate()
        }
        base = larger
        return larger + count
    }
}
