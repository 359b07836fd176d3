/// Where the members of orders stood before a save that has moved or removed them.
///
/// A save knows the new places, and of the old ones only those of the lists that its contexts have loaded. The store reads the
/// others before it writes the new ones.
package struct OldPlaces: Sendable {
    private var rows: [Int: [LinkChanges.Row]] = [:]

    package init() {}

    package var isEmpty: Bool { rows.isEmpty }

    /// The pairs of a linkage that were there, with their places.
    package subscript(linkage: Int) -> [LinkChanges.Row] { rows[linkage] ?? [] }

    package mutating func add(_ row: LinkChanges.Row, linkage: Int) {
        rows[linkage, default: []].append(row)
    }

    /// Adds those of another store.
    package mutating func add(_ others: OldPlaces) {
        rows.merge(others.rows) { $0 + $1 }
    }
}
