import RecordStackModel

/// The change that a context has made to a join row since its last save.
struct LinkEdit {
    enum Kind {
        case added, removed
        /// The join row existed, and its positions change.
        case moved
    }

    /// Which edit of which ancestor the nearest one is: 1 is the parent.
    struct Base: Equatable {
        let level: Int
        let serial: Int
    }

    var kind: Kind
    var position: Int64?
    var inversePosition: Int64?
    /// Later edits of a context have larger numbers.
    var serial: Int
    /// Whether it replaces one that a save may have written, or that was made over an ancestor's edit which
    /// has changed since: nobody knows whether the join row is in the store.
    var isUncertain = false
    /// The ancestors' edit that it was made over. Where that is another one now, what the edit said of the store does
    /// not hold any more.
    var base: Base?
    /// The join row's positions before this context changed it; nil if the join row was not there, or if its positions
    /// were never read.
    var original: OriginalPositions?

    /// The positions of a join row in the orders of both of its ends, nil for an end without an order.
    struct OriginalPositions: Equatable {
        var position: Int64?
        var inversePosition: Int64?

        func position(_ end: LinkEnd) -> Int64? { end == .first ? position : inversePosition }

        mutating func set(_ position: Int64, _ end: LinkEnd) {
            if end == .first { self.position = position } else { inversePosition = position }
        }
    }

    /// Whether the join row has its old positions again, so that the edit changes nothing.
    var isTakenBack: Bool {
        guard kind == .moved, !isUncertain, let original else { return false }
        return (position ?? original.position) == original.position
            && (inversePosition ?? original.inversePosition) == original.inversePosition
    }

    /// Restores the join row's old position in the order of an end.
    mutating func takeBack(_ end: LinkEnd) {
        guard let old = original?.position(end) else { return }
        if end == .first { position = old } else { inversePosition = old }
    }

    func position(_ end: LinkEnd) -> Int64? { end == .first ? position : inversePosition }

    /// Takes over the positions that a row has.
    mutating func takePositions(from row: LinkChanges.Row) {
        position = row.position ?? position
        inversePosition = row.inversePosition ?? inversePosition
    }
}

/// The edits that a context has made to the join rows of a join table.
struct LinkEdits {
    private(set) var edits: [JoinRow: LinkEdit] = [:]
    /// The keys at one end of the changed join rows, by the key at the other end.
    private var seconds: [Int64: Set<Int64>] = [:]
    private var firsts: [Int64: Set<Int64>] = [:]
    /// The positions of members that have left the owner whose key they keep, until the next save of this context.
    private var left: [JoinRow: Left] = [:]
    /// Goes up with each change, so that contexts below see that there was one.
    private(set) var revision = 0

    var isEmpty: Bool { edits.isEmpty }

    subscript(joinRow: JoinRow) -> LinkEdit? {
        get { edits[joinRow] }
        set {
            revision += 1
            if newValue == nil {
                if edits.removeValue(forKey: joinRow) != nil { removeFromIndex(joinRow) }
                return
            }
            if edits.updateValue(newValue!, forKey: joinRow) == nil {
                seconds[joinRow.first, default: []].insert(joinRow.second)
                firsts[joinRow.second, default: []].insert(joinRow.first)
            }
        }
    }

    /// Keeps the old positions of a changed join row. Child contexts need not see that as a change.
    mutating func noteOriginal(_ positions: LinkEdit.OriginalPositions, of joinRow: JoinRow) {
        edits[joinRow]?.original = positions
    }

    /// Where a member stood in the order of the owner that it has left.
    private struct Left {
        var positions: LinkEdit.OriginalPositions
        /// The ancestors' edit that set those positions.
        let base: LinkEdit.Base?
    }

    /// Keeps the positions of a join row that is no longer there; nil if they are unknown.
    mutating func noteLeft(
        _ positions: LinkEdit.OriginalPositions?, of joinRow: JoinRow, over base: LinkEdit.Base?
    ) {
        if positions != nil || !left.isEmpty {
            left[joinRow] = positions.map { Left(positions: $0, base: base) }
        }
    }

    /// Whether the old positions of a join row are kept here: the join row was changed, or its member has left.
    func knowsPositions(of joinRow: JoinRow) -> Bool {
        edits[joinRow] != nil || left[joinRow] != nil
    }

    /// Notes that another context has saved a new position for a member that has left here.
    mutating func moveLeft(_ joinRow: JoinRow, to position: Int64) {
        left[joinRow]?.positions.position = position
    }

    /// The old positions of a re-inserted join row; nil if they are unknown, or if an ancestor has edited it since.
    func formerPositions(
        of joinRow: JoinRow, over base: LinkEdit.Base?
    ) -> LinkEdit.OriginalPositions? {
        left[joinRow].flatMap { $0.base == base ? $0.positions : nil }
    }

    /// Forgets the positions of members that have left: after a save of this context, they cannot return to them.
    mutating func forgetFormerPositions() {
        if !left.isEmpty { left = [:] }
    }

    private mutating func removeFromIndex(_ joinRow: JoinRow) {
        seconds[joinRow.first]?.remove(joinRow.second)
        if seconds[joinRow.first]?.isEmpty == true { seconds[joinRow.first] = nil }
        firsts[joinRow.second]?.remove(joinRow.first)
        if firsts[joinRow.second]?.isEmpty == true { firsts[joinRow.second] = nil }
    }

    /// Returns the changed join rows that have a key at an end.
    func joinRows(of key: Int64, _ end: LinkEnd) -> [JoinRow] {
        let others = end == .first ? seconds[key] : firsts[key]
        return others.map { $0.map { JoinRow(key, $0, from: end) } } ?? []
    }

    /// Returns the keys at the other ends of those join rows.
    func partners(of key: Int64, _ end: LinkEnd) -> Set<Int64> {
        (end == .first ? seconds[key] : firsts[key]) ?? []
    }

    mutating func removeAll() {
        self = LinkEdits(revision: revision + 1)
    }

    /// Removes the edits up to one.
    mutating func removeAll(upTo serial: Int) {
        for (joinRow, edit) in edits where edit.serial <= serial { self[joinRow] = nil }
    }

    init() {}

    private init(revision: Int) { self.revision = revision }

    /// Returns what a save does, sorted by the keys of the join rows.
    /// - Parameter isStale: whether an edit was made over one that has changed since.
    func changes(
        joinTable: Int, isStale: (JoinRow, LinkEdit) -> Bool = { _, _ in false }
    ) -> LinkChanges {
        var changes = LinkChanges(joinTable: joinTable)
        let sorted = edits.sorted { ($0.key.first, $0.key.second) < ($1.key.first, $1.key.second) }
        for (joinRow, edit) in sorted {
            let row = LinkChanges.Row(
                joinRow: joinRow, position: edit.position, inversePosition: edit.inversePosition)
            switch edit.kind {
            case .added: changes.added.append(row)
            case .removed: changes.removed.append(joinRow)
            case .moved: changes.moved.append(row)
            }
            if edit.isUncertain || edit.kind != .moved && isStale(joinRow, edit) {
                changes.uncertain.insert(joinRow)
            }
        }
        return changes
    }
}
