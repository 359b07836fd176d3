/// The contents of a default context and of its store, as plain dictionaries.
struct NestingModel {
    typealias Values = [Int]

    /// The changes of one object in the default context.
    struct Pending {
        enum Kind { case created, deleted, edited }
        var kind: Kind
        /// All values of a new object, or the changed values of another object, by index.
        var values: [Int: Int] = [:]
        /// The stored values when the values were changed.
        var bases: [Int: Int] = [:]
        /// True if the object's row is gone, or, for a deletion, has been changed by others.
        var isStale = false
    }

    private(set) var stored: [Int: Values] = [:]
    private(set) var pending: [Int: Pending] = [:]

    /// The objects that the default context shows.
    var shown: [Int: Values] {
        var shown = stored
        for (number, change) in pending {
            switch change.kind {
            case .created: shown[number] = [change.values[0]!, change.values[1]!]
            case .deleted: shown[number] = nil
            case .edited:
                // The object has no row.
                if change.isStale { continue }
                for (place, value) in change.values { shown[number]![place] = value }
            }
        }
        return shown
    }

    /// Whether saving the default context is a conflict.
    var isInConflict: Bool {
        pending.contains { number, change in change.isStale || clashes(number, change) }
    }

    private func clashes(_ number: Int, _ change: Pending) -> Bool {
        guard let row = stored[number], change.kind == .edited else { return false }
        return change.bases.contains { place, base in row[place] != base }
    }

    // MARK: The default context

    mutating func create(_ number: Int, _ values: Values) {
        pending[number] = Pending(kind: .created, values: [0: values[0], 1: values[1]])
    }

    mutating func edit(_ number: Int, _ place: Int, _ value: Int) {
        var change = pending[number] ?? Pending(kind: .edited)
        change.values[place] = value
        if change.kind == .edited {
            let base = change.bases[place] ?? stored[number]![place]
            change.bases[place] = base
            // A value that is set back is no change, and shows what others have saved.
            if base == value {
                change.values[place] = nil
                change.bases[place] = nil
            }
        }
        pending[number] = change.kind == .edited && change.values.isEmpty ? nil : change
    }

    mutating func delete(_ number: Int) {
        pending[number] = pending[number]?.kind == .created ? nil : Pending(kind: .deleted)
    }

    mutating func rollBack() { pending = [:] }

    mutating func save() { (stored, pending) = (shown, [:]) }

    // MARK: Others

    /// The objects that a block sees: the store with the default context's changes, or without them
    /// if one is in conflict.
    var seenByBlock: [Int: Values] { isInConflict ? stored : shown }

    /// Notes the rows that a block has saved.
    mutating func saveBlock(_ rows: [Int: Values]) {
        if !isInConflict { pending = [:] }
        saveElsewhere(rows)
    }

    /// Notes the rows that another context has saved.
    mutating func saveElsewhere(_ rows: [Int: Values]) {
        for (number, change) in pending {
            guard change.kind != .created, rows[number] != stored[number] else { continue }
            if rows[number] == nil {
                // A row that both sides have deleted is deleted.
                pending[number] = change.kind == .deleted ? nil : change
            }
            pending[number]?.isStale = rows[number] == nil || change.kind == .deleted
        }
        stored = rows
    }
}
