import RecordStackModel

/// The rows that a context has loaded between two operations and that show a later commit than the first operation did.
///
/// A row that is loaded between two operations is set back where a commit carries its old values. Commits of other stacks
/// and batch updates carry none, so their rows are loaded as they are stored.
///
/// Such a row's version does not protect it: a program can read an order from before the commit, count with a number from
/// after it, and save both without a conflict. So a change of such a row is a conflict, unless the change is made after the
/// next operation, which takes in the commit.
struct RowsAhead {
    private var keys: [Int: Set<Int64>] = [:]

    var isEmpty: Bool { keys.isEmpty }

    mutating func insert(_ key: Int64, hierarchy: Int) {
        keys[hierarchy, default: []].insert(key)
    }

    /// Returns the rows, and forgets them.
    mutating func take() -> [Int: Set<Int64>] {
        defer { keys = [:] }
        return keys
    }
}
