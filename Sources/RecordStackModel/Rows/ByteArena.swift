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

    deinit {
        for chunk in chunks { chunk.deallocate() }
    }
}
