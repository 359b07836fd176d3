import RecordStackModel

/// Rows that a context has loaded between two operations, and that were changed since the first of them: what a context loads
/// there is set back where a commit says how it was, and these are rows of which none does.
///
/// Such a row is newer than what its context shows beside. Who changes it may have made the change out of both, and the row's
/// version does not tell: an order that was read before, and a count from after, would be saved as if nobody had been there
/// in between. So the change is a conflict, until the next operation has taken in the commit.
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

extension ManagedObjectContext {
    /// Notes what was changed of rows that are ahead as conflicts. It is done when the context catches up with them, and
    /// before a save. A deletion is an operation, and has caught up with them before.
    /// - Returns: whether there were any.
    @discardableResult
    func judgeRowsAhead() -> Bool {
        if rowsAhead.isEmpty { return false }
        for (hierarchy, keys) in rowsAhead.take() {
            for key in keys {
                guard let object = tables[hierarchy].object(key), !object.isFault else { continue }
                for slot in 0..<type(of: object).slotCount where object.isWritten(slot) {
                    object.record.setTorn(slot, theirs: object.committedValue(at: slot))
                    mayHaveConflicts = true
                }
            }
        }
        return true
    }

    /// The same before a save. It catches up with them, so that what is done again after the conflict is done with all of
    /// the commit.
    func judgeRowsAheadInChain() throws {
        var areAny = false
        forEachDown { if $0.judgeRowsAhead() { areAny = true } }
        if areAny { try reading { _ in } }
    }
}
