import RecordStackModel
import Testing

/// Rows that are compared with the values that were written of them.
@Suite("Comparing rows") struct RowComparerTests {
    private func batch(_ rows: [[StoredValue]]) -> RowBatch {
        let batch = RowBatch(width: rows[0].count)
        for row in rows { batch.append(values: row) }
        return batch
    }

    private static let values: [StoredValue] = [
        .null, .integer(0), .integer(1), .real(0), .real(1), .text(""), .text("1"), .text("abc"),
        .text("abd"), .text("ab"), .blob([]), .blob([49]), .blob([97, 98, 99]),
    ]

    @Test func `RowComparer finds rows equal only if all their columns are equal`() {
        for (one, value) in Self.values.enumerated() {
            for (two, other) in Self.values.enumerated() {
                let rows = batch([[.text("x"), value, .integer(7)]])
                let comparer = RowComparer(width: 3)
                let isRow = comparer.isRow(0, of: rows) {
                    $0.append(.text("x"))
                    $0.append(other)
                    $0.append(.integer(7))
                }
                #expect(isRow == (one == two), "\(value) and \(other)")
            }
        }
    }

    @Test func `comparing many rows with one RowComparer does not let its memory grow`() {
        let large = String(repeating: "x", count: 3 << 20)
        let row: [StoredValue] = [.text("abc"), .text(large), .text(large)]
        let rows = batch([row, row, [.text("abc"), .text("y"), .text("")]])
        let comparer = RowComparer(width: 3)
        for turn in 0..<30 {
            #expect(
                comparer.isRow(turn % 3, of: rows) { writer in
                    for value in rows.values(row: turn % 3) { writer.append(value) }
                })
            #expect(comparer.capacity < 8 << 20, "turn \(turn)")
        }
    }
}
