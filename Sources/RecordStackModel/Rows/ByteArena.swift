/// Memory for the text and bytes of many rows. Nothing in it moves, and all of it is freed at once.
@usableFromInline
package final class ByteArena {
    @exclusivity(unchecked) var free: UnsafeMutableRawPointer
    @exclusivity(unchecked) var freeEnd: UnsafeMutableRawPointer
    private var chunks: [UnsafeMutableRawPointer]
    private var nextSize: Int

    /// The first chunk is small: most saves are of one object.
    package init(firstChunk: Int = 256) {
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: firstChunk, alignment: 16)
        chunks = [chunk]
        free = chunk
        freeEnd = chunk + firstChunk
        nextSize = Swift.min(firstChunk * 4, Self.largestChunk)
    }

    private static let largestChunk = 1 << 20

    func addChunk(atLeast count: Int) {
        let size = Swift.max(nextSize, count)
        nextSize = Swift.min(nextSize * 4, Self.largestChunk)
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        chunks.append(chunk)
        free = chunk
        freeEnd = chunk + size
    }

    /// Begins anew in the last chunk; what was written to the arena is gone.
    func reuse() {
        // The last chunk is the one that is being filled, and there is always one.
        free = chunks[chunks.count - 1]
    }

    deinit {
        for chunk in chunks { chunk.deallocate() }
    }
}
