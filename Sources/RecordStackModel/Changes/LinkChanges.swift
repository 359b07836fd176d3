/// The integers that are valid positions in an ordered relationship.
///
/// The difference of two positions fits in an `Int64`, and so does a position plus or
/// minus one step.
package let orderPositions: ClosedRange<Int64> = (1 - 1 << 62)...(1 << 62 - 1)

package func isOrderPosition(_ number: Int64) -> Bool { orderPositions.contains(number) }

/// The keys of two related objects, which identify a row of a join table.
///
/// If a column keeps the positions of members, the first key is the owner's and the second key is
/// the member's.
package struct JoinRow: Sendable, Hashable {
    package let first: Int64
    package let second: Int64

    package init(first: Int64, second: Int64) {
        self.first = first
        self.second = second
    }

    /// - Parameter end: the end whose key is `mine`.
    package init(_ mine: Int64, _ other: Int64, from end: LinkEnd) {
        self =
            end == .first
            ? JoinRow(first: mine, second: other) : JoinRow(first: other, second: mine)
    }

    package func key(_ end: LinkEnd) -> Int64 { end == .first ? first : second }
    package var reversed: JoinRow { JoinRow(first: second, second: first) }
}

/// The changes that a save makes to the rows of a join table.
///
/// Join rows are a set: adding a row that exists, or removing one that does not, does nothing. Two
/// contexts that change a relationship at the same time are therefore never in conflict, and
/// neither needs to know the other context's changes.
package struct LinkChanges: Sendable {
    package struct Row: Sendable, Hashable {
        package let joinRow: JoinRow
        /// The second object's position in the first object's order; nil to leave it unchanged.
        package var position: Int64?
        /// The first object's position in the second object's order; nil to leave it unchanged.
        package var inversePosition: Int64?

        package init(joinRow: JoinRow, position: Int64? = nil, inversePosition: Int64? = nil) {
            self.joinRow = joinRow
            self.position = position
            self.inversePosition = inversePosition
        }

        /// Returns the position, in this end's order, of the object at the other end.
        package func position(_ end: LinkEnd) -> Int64? {
            end == .first ? position : inversePosition
        }
    }

    package let joinTable: Int
    package var removed: [JoinRow] = []
    package var added: [Row] = []
    /// The existing join rows whose positions change.
    package var moved: [Row] = []
    /// The added and removed join rows that may or may not be in the store.
    ///
    /// A join row is uncertain if its edit replaces an edit that a save may have written. It is
    /// also uncertain if an ancestor has changed the join row since the context's edit.
    package var uncertain: Set<JoinRow> = []

    package init(joinTable: Int) {
        self.joinTable = joinTable
    }

    package var isEmpty: Bool { count == 0 }
    package var count: Int { removed.count + added.count + moved.count }
}
