import RecordStackModel

/// The changes of a context to join rows.
///
/// Join rows are a set: an edit says that a join row exists, or that it does not, whatever other
/// contexts do.
final class JoinRowEdits: ContextPart {
    /// The edits, by join table.
    var links: ContiguousArray<LinkEdits>
    /// The number of the last edit.
    private(set) var linkSerial = 0
    /// The objects at both ends of changed join rows, kept alive until the join rows are saved.
    var retainedOwners: [ObjectIdentifier: ManagedObject] = [:]
    /// The revisions of the ancestors' edits that this context has seen, by join table.
    var seenRevisions: ContiguousArray<Int>

    init(joinTables: Int) {
        // Creating an instance costs 0.15 ms at a program's start, even if it is dropped: the
        // runtime searches all conformances for that of its dictionaries' keys.
        links = joinTables == 0 ? [] : ContiguousArray(repeating: LinkEdits(), count: joinTables)
        seenRevisions = ContiguousArray(repeating: 0, count: joinTables)
    }

    /// The edits of the parent in this isolation.
    var above: JoinRowEdits? { context.parentContext?.joinRowEdits }

    /// Whether nothing was changed.
    var isEmpty: Bool { links.allSatisfy(\.isEmpty) }

    /// Returns the edit of a join row by this context, or by the nearest ancestor that has one.
    func edit(of joinRow: JoinRow, in joinTable: Int) -> LinkEdit? {
        links[joinTable][joinRow] ?? above?.edit(of: joinRow, in: joinTable)
    }

    /// Whether this context or an ancestor has changed join rows of a join table.
    func hasEdits(of joinTable: Int) -> Bool {
        !links[joinTable].isEmpty || above?.hasEdits(of: joinTable) ?? false
    }

    /// Returns the edit of a join row by the nearest ancestor that has one.
    func base(of joinRow: JoinRow, in joinTable: Int) -> LinkEdit.Base? {
        var (level, next) = (1, above)
        while let edits = next {
            if let edit = edits.links[joinTable][joinRow] {
                return LinkEdit.Base(level: level, serial: edit.serial)
            }
            (level, next) = (level + 1, edits.above)
        }
        return nil
    }

    /// Adds a join row, or changes the positions of an added one.
    ///
    /// - Parameter isUncertain: True if it is unknown whether the store has the join row.
    func link(_ row: LinkChanges.Row, in joinTable: Int, isUncertain: Bool = false) {
        var edit = links[joinTable][row.joinRow]
        var isUncertain = isUncertain || isMadeBlindly(over: edit, of: row.joinRow, in: joinTable)
        switch edit?.kind {
        case .added: edit?.takePositions(from: row)
        case .moved:
            // The row existed, and another context has removed it since, so new positions are not
            // enough.
            edit?.takePositions(from: row)
            edit?.kind = .added
            isUncertain = true
        case .removed where isUncertain || !canForget(row.joinRow, in: joinTable):
            // The removal may be in the store, or will be there in the next moment.
            edit = made(.added, row, in: joinTable)
            isUncertain = true
        case .removed:
            let hasPosition = row.position != nil || row.inversePosition != nil
            let original = edit?.original
            edit = hasPosition ? made(.moved, row, in: joinTable) : nil
            edit?.original = original
        case nil: edit = made(.added, row, in: joinTable)
        }
        if isUncertain { edit?.isUncertain = true }
        edit?.serial = nextSerial()
        links[joinTable][row.joinRow] = edit
    }

    /// Changes the positions of an existing join row.
    ///
    /// - Parameter original: The positions that the join row has now, as far as they are known.
    func move(
        _ row: LinkChanges.Row, in joinTable: Int, from original: LinkEdit.OriginalPositions? = nil
    ) {
        var edit = links[joinTable][row.joinRow] ?? made(.moved, row, in: joinTable, original)
        edit.takePositions(from: row)
        edit.serial = nextSerial()
        links[joinTable][row.joinRow] = edit
    }

    /// Removes a join row.
    ///
    /// - Parameters:
    ///   - isUncertain: True if it is unknown whether the store has the join row.
    ///   - original: The positions that the join row has now, as far as they are known.
    func unlink(
        _ joinRow: JoinRow, in joinTable: Int, isUncertain: Bool = false,
        from original: LinkEdit.OriginalPositions? = nil
    ) {
        let edit = links[joinTable][joinRow]
        var isUncertain = isUncertain || isMadeBlindly(over: edit, of: joinRow, in: joinTable)
        if edit?.kind == .added {
            if !isUncertain && canForget(joinRow, in: joinTable) {
                links[joinTable][joinRow] = nil
                return
            }
            isUncertain = true
        }
        // A join row that was added here had no positions before.
        let original = edit == nil ? original : edit?.original
        links[joinTable][joinRow] = LinkEdit(
            kind: .removed, serial: nextSerial(), isUncertain: isUncertain,
            base: base(of: joinRow, in: joinTable), original: original)
    }

    /// Whether an undone edit of a join row can be dropped, because no save contains it.
    func canForget(_ joinRow: JoinRow, in joinTable: Int) -> Bool {
        !context.mayBeSaved
            && context.published?.withdraw(joinRow, in: joinTable, during: context.tree.turn)
                != false
    }

    /// Whether the ancestors' edit of a join row has changed since this context's edit.
    ///
    /// Also true if an ancestor has edited the join row for the first time since then.
    func isStale(_ edit: LinkEdit, of joinRow: JoinRow, in joinTable: Int) -> Bool {
        edit.base != base(of: joinRow, in: joinTable)
    }

    /// True if a new edit of a join row cannot know whether the store has the join row.
    ///
    /// The ancestors may have changed it since this context last looked, or the edit replaces one
    /// that is uncertain itself.
    private func isMadeBlindly(
        over edit: LinkEdit?, of joinRow: JoinRow, in joinTable: Int
    ) -> Bool {
        if hasUnseenEditsAbove(of: joinTable) { return true }
        guard let edit else { return false }
        return edit.isUncertain || isStale(edit, of: joinRow, in: joinTable)
    }

    /// Returns the changes that a save or a push makes to the join rows of a join table.
    func linkChanges(of joinTable: Int) -> LinkChanges {
        links[joinTable].changes(joinTable: joinTable) { isStale($1, of: $0, in: joinTable) }
    }

    private func made(
        _ kind: LinkEdit.Kind, _ row: LinkChanges.Row, in joinTable: Int,
        _ original: LinkEdit.OriginalPositions? = nil
    ) -> LinkEdit {
        LinkEdit(
            kind: kind, position: row.position, inversePosition: row.inversePosition, serial: 0,
            base: base(of: row.joinRow, in: joinTable), original: original)
    }

    private func nextSerial() -> Int {
        linkSerial += 1
        return linkSerial
    }

    /// Drops the edits of an object's join rows.
    func dropLinks(of object: ManagedObject) {
        dropLinks(ofKey: object.keyValue, entity: entityIndex(of: object))
    }

    func dropLinks(ofKey key: Int64, entity: Int) {
        for joinTable in model.joinTables where !links[joinTable.index].isEmpty {
            for end in [LinkEnd.first, .second]
            where model.areKin(joinTable.end(end).entity, entity) {
                for joinRow in links[joinTable.index].joinRows(of: key, end) {
                    links[joinTable.index][joinRow] = nil
                }
            }
        }
    }
}
