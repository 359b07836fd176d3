/// Memory for the text and bytes of many rows.
///
/// Nothing in it moves, and all of it is freed at once.
@usableFromInline
package final class ByteArena {
    // @exclusivity(unchecked): only its owner uses an arena, and no closure runs while a
    // byte is written.

    @exclusivity(unchecked) var free: UnsafeMutableRawPointer
    @exclusivity(unchecked) var freeEnd: UnsafeMutableRawPointer
    /// The first chunk; nil before it is needed.
    private var first: UnsafeMutableRawPointer?
    private var others: [UnsafeMutableRawPointer] = []
    /// The total size of all chunks, in bytes.
    private(set) var capacity: Int
    private var nextSize: Int

    /// Creates an arena without memory.
    ///
    /// The first chunk is small, because most saves write one object. It is allocated on demand,
    /// because many saves write only numbers.
    package init(firstChunk: Int = 256) {
        capacity = 0
        free = Self.nowhere
        freeEnd = free
        nextSize = firstChunk
    }

    /// The address at which an empty arena begins and ends.
    private static var nowhere: UnsafeMutableRawPointer {
        // Only the bit pattern 0 makes this nil. Nothing is read or written at this address.
        UnsafeMutableRawPointer(bitPattern: 16)!
    }

    private static let largestChunk = 1 << 20

    func addChunk(atLeast count: Int) {
        let size = Swift.max(nextSize, count)
        nextSize = Swift.min(nextSize * 4, Self.largestChunk)
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        if first == nil { first = chunk } else { others.append(chunk) }
        capacity += size
        free = chunk
        freeEnd = chunk + size
    }

    /// Discards the contents, so that the memory can be used again.
    ///
    /// If there are several chunks, one chunk of the same total size replaces them.
    func reuse() {
        if !others.isEmpty {
            let size = capacity
            deallocateChunks()
            others = []
            let chunk = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            first = chunk
            freeEnd = chunk + size
        }
        free = first ?? Self.nowhere
    }

    private func deallocateChunks() {
        first?.deallocate()
        for chunk in others { chunk.deallocate() }
    }

    deinit { deallocateChunks() }
}
