/// The kinds of the open brackets: one bit for each, the innermost lowest, 1 for an object.
///
/// The first 64 levels are in one word. Only deeper texts allocate.
struct JSONNesting: Sendable {
    private(set) var depth = 0
    private var bits: UInt64 = 0
    private var full: [UInt64] = []

    /// True if the innermost open bracket is an object. False if no bracket is open.
    @inline(__always) var isInObject: Bool { bits & 1 != 0 }

    @inline(__always) mutating func push(object: Bool) {
        if depth & 63 == 0, depth > 0 { spill() }
        bits = bits << 1 | (object ? 1 : 0)
        depth += 1
    }

    @inline(__always) mutating func pop() {
        depth -= 1
        bits >>= 1
        if depth & 63 == 0, depth > 0 { unspill() }
    }

    @inline(never) private mutating func spill() {
        full.append(bits)
        bits = 0
    }

    @inline(never) private mutating func unspill() {
        bits = full.removeLast()
    }
}
