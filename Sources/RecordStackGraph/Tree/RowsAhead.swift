import RecordStackModel

/// The rows that a context has loaded between two operations and that show a later commit.
///
/// A row that is loaded between two operations is reverted if a commit carries its old values.
/// Commits of other stacks and batch updates carry none, so their rows are loaded as they are
/// stored.
///
/// The check of the row's version does not protect a change of such a row. A program could combine
/// a value from before the commit with a value from after it, and save the result without a
/// conflict. A change of such a row is therefore a conflict, unless it is made after the next
/// operation, which merges the commit.
struct RowsAhead {
    private var keys: [Int: Set<Int64>] = [:]

    var isEmpty: Bool { keys.isEmpty }

    mutating func insert(_ key: Int64, hierarchy: Int) {
        keys[hierarchy, default: []].insert(key)
    }

    /// Returns the rows and forgets them.
    mutating func take() -> [Int: Set<Int64>] {
        defer { keys = [:] }
        return keys
    }
}
