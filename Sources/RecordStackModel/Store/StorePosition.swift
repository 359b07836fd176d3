/// The saves that a reader sees: the last save of each stack on the file.
///
/// Each stack on a file leaves the token of its last save in a row. A file has at most 16 of these
/// rows. A further stack takes over the row that was claimed least recently. Positions are compared
/// row by row.
///
/// ```swift
/// let position = try reader.position()
/// if position.hasSaves(ofOthersThan: author, since: known) { … }
/// ```
package struct StorePosition: Sendable, Equatable {
    private struct Mark: Sendable, Equatable {
        let row: Int64
        var token: SaveToken
    }

    // A search through 16 marks is faster than a dictionary. The first dictionary of this type
    // would cost the runtime a quarter of the instructions for opening a store.
    private var marks: [Mark] = []

    package init() {}

    /// Returns the token in a row; nil if the row has none.
    package subscript(row: Int64) -> SaveToken? { marks.first { $0.row == row }?.token }

    /// Replaces the token of a row.
    /// - Returns: the previous token.
    @discardableResult
    package mutating func update(_ token: SaveToken, at row: Int64) -> SaveToken? {
        guard let index = marks.firstIndex(where: { $0.row == row }) else {
            marks.append(Mark(row: row, token: token))
            return nil
        }
        defer { marks[index].token = token }
        return marks[index].token
    }

    /// Returns the number of a stack's last save; nil if no row has a token of the stack.
    package func lastNumber(of author: UInt64) -> UInt64? {
        marks.lazy.compactMap { $0.token.author == author ? $0.token.number : nil }.max()
    }

    /// Returns true if stacks other than the author's have saved since another position.
    package func hasSaves(ofOthersThan author: UInt64, since known: StorePosition) -> Bool {
        marks.contains { $0.token.author != author && known[$0.row] != $0.token }
    }

    /// Returns true if another position contains all saves of this position.
    package func isCovered(by other: StorePosition) -> Bool {
        marks.allSatisfy { mark in
            guard let token = other[mark.row] else { return false }
            return token.author == mark.token.author && token.number >= mark.token.number
        }
    }

    /// Returns true if this position contains saves that another position certainly lacks.
    ///
    /// A row with different authors in the two positions proves nothing: either stack may have
    /// taken the row over from the other.
    package func isLater(than other: StorePosition) -> Bool {
        marks.contains { mark in
            guard let token = other[mark.row] else { return true }
            return token.author == mark.token.author && token.number < mark.token.number
        }
    }

    /// Replaces the tokens with those of a later position.
    package mutating func advance(to later: StorePosition) {
        for mark in later.marks { update(mark.token, at: mark.row) }
    }
}

/// The saves of other stacks.
package struct RemoteChanges: Sendable {
    /// The changed rows as they are at the position.
    package let changes: ChangeSet
    package let position: StorePosition

    package init(changes: ChangeSet, position: StorePosition) {
        self.changes = changes
        self.position = position
    }
}
