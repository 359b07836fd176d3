/// The numbers that can be a position in an order. The difference of two positions is an integer, and so is a position
/// plus or minus one step.
package let orderPositions: ClosedRange<Int64> = (1 - 1 << 62)...(1 << 62 - 1)

package func isOrderPosition(_ number: Int64) -> Bool { orderPositions.contains(number) }

/// The keys of two related objects, which identify a row of a join table. If a column keeps the positions of members,
/// the first key is the owner's, and the second is the member's.
package struct JoinRow: Sendable, Hashable {
    package let first: Int64
    package let second: Int64

    package init(first: Int64, second: Int64) {
        self.first = first
        self.second = second
    }

    /// - Parameter end: whose key comes first.
    package init(_ mine: Int64, _ other: Int64, from end: LinkEnd) {
        self =
            end == .first
            ? JoinRow(first: mine, second: other) : JoinRow(first: other, second: mine)
    }

    package func key(_ end: LinkEnd) -> Int64 { end == .first ? first : second }
    package var reversed: JoinRow { JoinRow(first: second, second: first) }
}

/// What a save does to the join rows of a join table.
///
/// Join rows are a set: adding one that exists, or removing one that does not, does nothing. So two contexts that
/// change a relationship at the same time are never in conflict, and neither has to know the other's changes.
package struct LinkChanges: Sendable {
    package struct Row: Sendable, Hashable {
        package let joinRow: JoinRow
        /// The second's position in the first's order; nil to leave it as it is.
        package var position: Int64?
        /// The first's position in the second's order; nil to leave it as it is.
        package var inversePosition: Int64?

        package init(joinRow: JoinRow, position: Int64? = nil, inversePosition: Int64? = nil) {
            self.joinRow = joinRow
            self.position = position
            self.inversePosition = inversePosition
        }

        /// The position of the other end's object in this end's order.
        package func position(_ end: LinkEnd) -> Int64? {
            end == .first ? position : inversePosition
        }
    }

    package let joinTable: Int
    package var removed: [JoinRow] = []
    package var added: [Row] = []
    /// Existing join rows whose positions change.
    package var moved: [Row] = []
    /// The added and removed join rows of which it is unknown whether the store has them: their edits replace some that
    /// a save may have written, or an ancestor has changed them since.
    package var uncertain: Set<JoinRow> = []

    package init(joinTable: Int) {
        self.joinTable = joinTable
    }

    package var isEmpty: Bool { count == 0 }
    package var count: Int { removed.count + added.count + moved.count }
}
