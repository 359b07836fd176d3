import RecordStackModel

/// The change of a context to a join row since the context's last save.
struct LinkEdit {
    enum Kind {
        case added, removed
        /// The join row exists, and its positions change.
        case moved
    }

    /// The edit of a join row by the nearest ancestor that has one; level 1 is the parent.
    struct Base: Equatable {
        let level: Int
        let serial: Int
    }

    var kind: Kind
    var position: Int64?
    var inversePosition: Int64?
    /// Later edits of a context have larger numbers.
    var serial: Int
    /// True if it is unknown whether the store has the join row.
    ///
    /// The edit then replaces one that a save may have written, or it was made over an ancestor's
    /// edit that has changed since.
    var isUncertain = false
    /// The ancestors' edit over which this edit was made.
    ///
    /// If the ancestors' edit has changed since, this edit's assumption about the store is void.
    var base: Base?
    /// The join row's positions before this context changed it.
    ///
    /// Nil if the join row did not exist, or if its positions were never read.
    var original: OriginalPositions?

    /// The positions of a join row in the orders of both ends; nil for an end without an order.
    struct OriginalPositions: Equatable {
        var position: Int64?
        var inversePosition: Int64?

        func position(_ end: LinkEnd) -> Int64? { end == .first ? position : inversePosition }

        mutating func set(_ position: Int64, _ end: LinkEnd) {
            if end == .first { self.position = position } else { inversePosition = position }
        }
    }

    /// Whether the join row has its original positions again, so that the edit changes nothing.
    var isTakenBack: Bool {
        guard kind == .moved, !isUncertain, let original else { return false }
        return (position ?? original.position) == original.position
            && (inversePosition ?? original.inversePosition) == original.inversePosition
    }

    /// Restores the join row's original position in the order of an end.
    mutating func takeBack(_ end: LinkEnd) {
        guard let old = original?.position(end) else { return }
        if end == .first { position = old } else { inversePosition = old }
    }

    func position(_ end: LinkEnd) -> Int64? { end == .first ? position : inversePosition }

    /// Takes over the positions of a row.
    mutating func takePositions(from row: LinkChanges.Row) {
        position = row.position ?? position
        inversePosition = row.inversePosition ?? inversePosition
    }
}

/// The edits of a context to the join rows of a join table.
struct LinkEdits {
    private(set) var edits: [JoinRow: LinkEdit] = [:]
    /// The keys at one end of the changed join rows, by the key at the other end.
    private var seconds: [Int64: Set<Int64>] = [:]
    private var firsts: [Int64: Set<Int64>] = [:]
    /// The positions of members that have left their owner, until this context's next save.
    ///
    /// Kept for ordered relationships whose members keep the owner's key.
    private var left: [JoinRow: Left] = [:]
    /// The number of changes, by which child contexts detect new ones.
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

    /// Keeps the original positions of a changed join row, which child contexts need not notice.
    mutating func noteOriginal(_ positions: LinkEdit.OriginalPositions, of joinRow: JoinRow) {
        edits[joinRow]?.original = positions
    }

    /// The position of a member in the order of the owner that it has left.
    private struct Left {
        var positions: LinkEdit.OriginalPositions
        /// The ancestors' edit that set those positions.
        let base: LinkEdit.Base?
    }

    /// Keeps the positions of a join row that is gone, or forgets them if they are unknown.
    mutating func noteLeft(
        _ positions: LinkEdit.OriginalPositions?, of joinRow: JoinRow, over base: LinkEdit.Base?
    ) {
        if positions != nil || !left.isEmpty {
            left[joinRow] = positions.map { Left(positions: $0, base: base) }
        }
    }

    /// Whether this context keeps the original positions of a join row.
    ///
    /// It does if it has edited the join row, or if the member has left its owner.
    func knowsPositions(of joinRow: JoinRow) -> Bool {
        edits[joinRow] != nil || left[joinRow] != nil
    }

    /// Records a position that another context has saved for a member that has left its owner here.
    mutating func moveLeft(_ joinRow: JoinRow, to position: Int64) {
        left[joinRow]?.positions.position = position
    }

    /// Returns the former positions of a re-inserted join row.
    ///
    /// Nil if they are unknown, or if an ancestor has edited the join row since.
    func formerPositions(
        of joinRow: JoinRow, over base: LinkEdit.Base?
    ) -> LinkEdit.OriginalPositions? {
        left[joinRow].flatMap { $0.base == base ? $0.positions : nil }
    }

    /// Forgets the positions of members that have left their owners.
    ///
    /// After a save of this context, the members cannot return to these positions.
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

    /// Returns the keys at the other ends of the changed join rows that have a key at an end.
    func partners(of key: Int64, _ end: LinkEnd) -> Set<Int64> {
        (end == .first ? seconds[key] : firsts[key]) ?? []
    }

    mutating func removeAll() {
        self = LinkEdits(revision: revision + 1)
    }

    /// Removes the edits up to a serial number.
    mutating func removeAll(upTo serial: Int) {
        for (joinRow, edit) in edits where edit.serial <= serial { self[joinRow] = nil }
    }

    init() {}

    private init(revision: Int) { self.revision = revision }

    /// Returns the changes for a save, sorted by the keys of the join rows.
    ///
    /// - Parameter isStale: Returns true if the ancestors' edit of the join row has changed since
    ///   an edit.
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
