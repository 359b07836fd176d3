/// What a default context shows and what its store has, as plain dictionaries.
struct NestingModel {
    typealias Values = [Int]

    /// What the default context has changed of an object.
    struct Pending {
        enum Kind { case created, deleted, edited }
        var kind: Kind
        /// All values of a new object; the changed ones of another, by place.
        var values: [Int: Int] = [:]
        /// What the store had when they were changed.
        var bases: [Int: Int] = [:]
        /// Whether the object is in the store no more, or, if it is to be deleted here, is another one there.
        var isStale = false
    }

    private(set) var stored: [Int: Values] = [:]
    private(set) var pending: [Int: Pending] = [:]

    /// What the default context shows.
    var shown: [Int: Values] {
        var shown = stored
        for (number, change) in pending {
            switch change.kind {
            case .created: shown[number] = [change.values[0]!, change.values[1]!]
            case .deleted: shown[number] = nil
            case .edited:
                // It has no row any more.
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
            // What has its old value again is no change, and shows what others have made of it.
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

    /// What a block sees: the store with the default context's changes, or without them where one is in conflict.
    var seenByBlock: [Int: Values] { isInConflict ? stored : shown }

    /// A block has saved; it has left these rows.
    mutating func saveBlock(_ rows: [Int: Values]) {
        if !isInConflict { pending = [:] }
        saveElsewhere(rows)
    }

    /// Somebody has saved; the store has these rows.
    mutating func saveElsewhere(_ rows: [Int: Values]) {
        for (number, change) in pending {
            guard change.kind != .created, rows[number] != stored[number] else { continue }
            if rows[number] == nil {
                // What both have deleted is deleted.
                pending[number] = change.kind == .deleted ? nil : change
            }
            pending[number]?.isStale = rows[number] == nil || change.kind == .deleted
        }
        stored = rows
    }
}
