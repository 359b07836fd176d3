/// Memory for the text and bytes of many rows. Nothing in it moves, and all of it is freed at once.
@usableFromInline
package final class ByteArena {
    // @exclusivity(unchecked): its owner alone uses an arena, and no closure runs while a byte is written.

    @exclusivity(unchecked) var free: UnsafeMutableRawPointer
    @exclusivity(unchecked) var freeEnd: UnsafeMutableRawPointer
    /// Nil before there is one.
    private var first: UnsafeMutableRawPointer?
    private var others: [UnsafeMutableRawPointer] = []
    /// How many bytes there are in all chunks.
    private(set) var capacity: Int
    private var nextSize: Int

    /// The first chunk is small, because most saves are of one object, and made when it is needed: many a save has
    /// only numbers.
    package init(firstChunk: Int = 256) {
        capacity = 0
        free = Self.nowhere
        freeEnd = free
        nextSize = firstChunk
    }

    /// Where no memory begins and ends.
    private static var nowhere: UnsafeMutableRawPointer {
        // No null pointer, which alone would make this nil; nothing is read or written there.
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

    /// Begins anew; what was written to the arena is gone. Several chunks become one, in which as much fits.
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
