/// What a number from a file must be to be a place in an order. The difference of two of these is an integer, and so is
/// what is a step behind or before one.
package let orderPositions: ClosedRange<Int64> = (1 - 1 << 62)...(1 << 62 - 1)

package func isOrderPosition(_ number: Int64) -> Bool { orderPositions.contains(number) }

/// Two objects that are related, by key: the first end's, then the second's. Where a column keeps the
/// places of members, the owner's, then the member's.
package struct LinkPair: Sendable, Hashable {
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
            ? LinkPair(first: mine, second: other) : LinkPair(first: other, second: mine)
    }

    package func key(_ end: LinkEnd) -> Int64 { end == .first ? first : second }
    package var reversed: LinkPair { LinkPair(first: second, second: first) }
}

/// What a save does to the pairs of a linkage.
///
/// Pairs are a set: to add one that is there, and to remove one that is not, does nothing. So two
/// contexts that change a relationship at the same time are never in conflict, and neither has to
/// know what the other has done.
package struct LinkChanges: Sendable {
    package struct Row: Sendable, Hashable {
        package let pair: LinkPair
        /// The second's place in the first's order; nil to leave it as it is.
        package var position: Int64?
        /// The first's place in the second's order; nil to leave it as it is.
        package var inversePosition: Int64?

        package init(pair: LinkPair, position: Int64? = nil, inversePosition: Int64? = nil) {
            self.pair = pair
            self.position = position
            self.inversePosition = inversePosition
        }

        /// The place of the other end's object in this end's order.
        package func position(_ end: LinkEnd) -> Int64? {
            end == .first ? position : inversePosition
        }
    }

    package let linkage: Int
    package var removed: [LinkPair] = []
    package var added: [Row] = []
    /// Pairs that are there and take other places.
    package var moved: [Row] = []
    /// Which of the added and the removed take the place of what a save may have written, or were made over what a
    /// context above has changed since: nobody knows whether the store has them.
    package var uncertain: Set<LinkPair> = []

    package init(linkage: Int) {
        self.linkage = linkage
    }

    package var isEmpty: Bool { count == 0 }
    package var count: Int { removed.count + added.count + moved.count }
}
