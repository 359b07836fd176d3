import Glibc

/// Tells whether objects still have the values of rows that were written of them, without making a value.
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

    /// Whether what `write` writes is the row, in all slots.
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
        return (0..<width).allSatisfy { Self.areSame(cells[$0], saved[$0]) }
    }

    private static func areSame(_ written: Cell, _ saved: Cell) -> Bool {
        guard written.tag == saved.tag else { return false }
        switch written.tag {
        case .null: return true
        case .integer, .real: return written.bits == saved.bits
        case .text, .blob:
            guard written.length == saved.length else { return false }
            guard let ours = written.bytes.baseAddress, let theirs = saved.bytes.baseAddress else {
                return written.length == 0
            }
            return memcmp(ours, theirs, Int(written.length)) == 0
        }
    }
}
