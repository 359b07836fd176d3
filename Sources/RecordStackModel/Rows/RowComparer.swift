/// Compares objects with rows that were written from them, without creating values.
package struct RowComparer: ~Copyable {
    private let cells: UnsafeMutablePointer<Cell>
    private let width: Int
    private let arena = ByteArena()

    package init(width: Int) {
        self.width = width
        cells = .allocate(capacity: max(width, 1))
    }

    deinit {
        cells.deallocate()
    }

    /// The size of the memory for text and bytes: about as much as the largest row has needed.
    package var capacity: Int { arena.capacity }

    /// Returns true if `write` writes exactly the values of a row.
    package func isRow(
        _ row: Int, of batch: RowBatch, _ write: (inout CellWriter) -> Void
    ) -> Bool {
        precondition(batch.width == width, "a row of another width")
        arena.reuse()
        var writer = CellWriter(
            cells: UnsafeMutableBufferPointer(start: cells, count: width), arena: arena)
        write(&writer)
        precondition(writer.remaining == 0, "fewer values than the entity has slots")
        writer.finish()
        let saved = batch.cells(ofRow: row)
        return (0..<width).allSatisfy { cells[$0].isSame(as: saved[$0]) }
    }
}
