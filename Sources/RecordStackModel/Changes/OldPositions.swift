/// The positions that members of ordered relationships had before a save moved or removed them.
///
/// A save contains all new positions. It contains old positions only for lists that its contexts
/// have loaded. The store reads the other old positions before it writes the new ones.
package struct OldPositions: Sendable {
    private var rows: [Int: [LinkChanges.Row]] = [:]

    package init() {}

    package var isEmpty: Bool { rows.isEmpty }

    /// Returns the old positions of a join table's rows.
    package subscript(joinTable: Int) -> [LinkChanges.Row] { rows[joinTable] ?? [] }

    package mutating func add(_ row: LinkChanges.Row, joinTable: Int) {
        rows[joinTable, default: []].append(row)
    }

    /// Adds the positions of another store.
    package mutating func add(_ others: OldPositions) {
        rows.merge(others.rows) { $0 + $1 }
    }
}
