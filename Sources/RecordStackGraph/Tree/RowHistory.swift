import RecordStackModel

/// The stored rows as they were before some commits.
///
/// Between two operations, a context shows the commits that its last operation has merged. Rows
/// that it loads meanwhile are newer if there were more commits. This stack's commits carry the old
/// values of the rows that they update, so the context can revert these rows. Deletions, batch
/// updates and commits of other stacks carry no old values: the rows that they changed are *open*.
/// An open row shows as it is stored, unless the context has its object loaded. Then lists agree
/// with the object, too.
struct RowHistory: Sendable {
    private struct Edit: Sendable {
        let entity: Int
        /// The version of the row before the edit.
        let version: RowVersion
        let slots: SlotSet
        let bases: RowBatch
        let row: Int
    }

    private let model: ManagedObjectModel
    /// The edits of rows by hierarchy and key, oldest first.
    private var edits: [Int: [Int64: [Edit]]] = [:]
    private var inserted: [Int: Set<Int64>] = [:]
    /// The join rows that were added or removed, by join table; true for those that existed before.
    private var joinRows: [Int: [JoinRow: Bool]] = [:]
    private var open: [Int: Set<Int64>] = [:]
    private var openJoinRows: [Int: Set<JoinRow>] = [:]
    /// The former positions of join rows, by join table.
    private var formerPositions: [Int: [JoinRow: LinkChanges.Row]] = [:]
    /// True if every row and every join row may be open.
    private(set) var isAllOpen = false

    /// Collects the old rows from commits.
    ///
    /// - Parameters:
    ///   - commits: the commits, oldest first.
    ///   - remote: further changes that other stacks have saved.
    init(before commits: [CommittedChanges], remote: ChangeSet?, _ model: ManagedObjectModel) {
        self.model = model
        for commit in commits {
            if commit.isRemote { noteOpen(commit.changes) } else { add(commit) }
        }
        if let remote { noteOpen(remote) }
    }

    /// True if the commits changed nothing.
    var isEmpty: Bool {
        !isAllOpen && edits.isEmpty && joinRows.isEmpty && openJoinRows.isEmpty
            && formerPositions.isEmpty && inserted.values.allSatisfy(\.isEmpty)
            && open.values.allSatisfy(\.isEmpty)
    }

    private func hierarchy(of changes: EntityChanges) -> Int {
        model.modelEntities[changes.entity].hierarchy
    }
}

// MARK: Recording commits

extension RowHistory {
    private mutating func add(_ commit: CommittedChanges) {
        let changes = commit.changes
        if changes.isTruncated { isAllOpen = true }
        if !commit.oldPositions.isEmpty {
            for joinTable in model.joinTables.indices {
                for row in commit.oldPositions[joinTable]
                where formerPositions[joinTable]?[row.joinRow] == nil
                    && joinRows[joinTable]?[row.joinRow] == nil
                {
                    formerPositions[joinTable, default: [:]][row.joinRow] = row
                }
            }
        }
        for entity in changes.entities {
            noteOpenRows(entity)
            if !entity.lacksBaseImage { add(entity) }
        }
        for links in changes.links { add(links) }
    }

    private mutating func add(_ changes: EntityChanges) {
        let hierarchy = hierarchy(of: changes)
        let new = changes.insertedKeys.filter { changes.reinsertedVersions[$0] == nil }
        if !new.isEmpty { inserted[hierarchy, default: []].formUnion(new) }
        for (row, update) in changes.updates.enumerated() {
            edits[hierarchy, default: [:]][update.key, default: []].append(
                Edit(
                    entity: changes.entity, version: update.version, slots: update.slots,
                    bases: changes.bases, row: row))
        }
    }

    private mutating func add(_ changes: LinkChanges) {
        func note(_ joinRow: JoinRow, _ wasThere: Bool) {
            if joinRows[changes.joinTable]?[joinRow] == nil {
                joinRows[changes.joinTable, default: [:]][joinRow] = wasThere
            }
        }
        for joinRow in changes.removed { note(joinRow, true) }
        for row in changes.added { note(row.joinRow, false) }
    }

    private mutating func noteOpen(_ changes: ChangeSet) {
        if changes.isTruncated { isAllOpen = true }
        for entity in changes.entities {
            noteOpenRows(entity)
            open[hierarchy(of: entity), default: []].formUnion(entity.insertedKeys)
            open[hierarchy(of: entity), default: []].formUnion(entity.updates.lazy.map(\.key))
        }
        for links in changes.links where model.joinTables[links.joinTable].hasOwnTable {
            openJoinRows[links.joinTable, default: []].formUnion(links.removed)
            openJoinRows[links.joinTable, default: []].formUnion(links.added.lazy.map(\.joinRow))
        }
    }

    /// Records the rows whose old values are missing even in this stack's commits.
    private mutating func noteOpenRows(_ changes: EntityChanges) {
        if changes.deletedThroughKey != nil { isAllOpen = true }
        var keys = Set(changes.deletions.lazy.map(\.key))
        keys.formUnion(changes.alreadyDeletedKeys)
        // A re-inserted row replaces a row whose values no commit carries.
        keys.formUnion(changes.reinsertedVersions.keys)
        if changes.lacksBaseImage {
            keys.formUnion(changes.insertedKeys)
            keys.formUnion(changes.updates.lazy.map(\.key))
        }
        if !keys.isEmpty { open[hierarchy(of: changes), default: []].formUnion(keys) }
    }
}

// MARK: Rows

extension RowHistory {
    /// Whether a row is open: no commit carries its old values.
    func isOpen(_ key: Int64, hierarchy: Int) -> Bool {
        isAllOpen || open[hierarchy]?.contains(key) == true
    }

    /// Reverts a row to its old values, unless the row is open.
    ///
    /// - Returns: the version of the old row; nil if the row did not exist.
    func setBack(
        _ values: inout [StoredValue], of key: Int64, hierarchy: Int, version: RowVersion
    ) -> RowVersion? {
        if isOpen(key, hierarchy: hierarchy) { return version }
        if inserted[hierarchy]?.contains(key) == true { return nil }
        var version = version
        for edit in (edits[hierarchy]?[key] ?? []).reversed() where edit.version.next == version {
            edit.slots.forEach { values[$0] = edit.bases.storedValue(row: edit.row, slot: $0) }
            version = edit.version
        }
        return version
    }
}

// MARK: Members

extension RowHistory {
    /// Returns the keys of a hierarchy's open rows, or nil if all rows may be open.
    func openKeys(hierarchy: Int) -> Set<Int64>? {
        isAllOpen ? nil : open[hierarchy] ?? []
    }

    /// Returns the open join rows of a join table, or nil if all of them may be open.
    func openJoinRows(of joinTable: Int) -> Set<JoinRow>? {
        isAllOpen ? nil : openJoinRows[joinTable] ?? []
    }

    /// Returns the former owners of updated and inserted rows that are not open.
    ///
    /// - Parameter slot: the to-one relationship that refers to the owner.
    /// - Returns: the former owners by the member's key; nil for a row that did not exist.
    func owners(at slot: Int, of entity: Int) -> [Int64: Int64?] {
        let hierarchy = model.modelEntities[entity].hierarchy
        let kinds = model.modelEntities[entity].kinds
        var owners: [Int64: Int64?] = [:]
        for (key, edits) in edits[hierarchy] ?? [:] where !isOpen(key, hierarchy: hierarchy) {
            guard
                let first = edits.first(where: {
                    $0.slots.contains(slot) && kinds.contains($0.entity)
                })
            else { continue }
            owners[key] = .some(first.bases.cell(row: first.row, slot: slot).integer)
        }
        for key in inserted[hierarchy] ?? [] where !isOpen(key, hierarchy: hierarchy) {
            owners[key] = .some(nil)
        }
        return owners
    }

    /// Returns the former positions of a join row, or nil if it was neither moved nor removed.
    func formerPositions(of joinRow: JoinRow, in joinTable: Int) -> LinkChanges.Row? {
        formerPositions[joinTable]?[joinRow]
    }

    /// Returns the added and removed join rows that are not open; true if they existed before.
    func joinRows(of joinTable: Int) -> [JoinRow: Bool] {
        let joinRows = self.joinRows[joinTable] ?? [:]
        guard let open = openJoinRows[joinTable], !open.isEmpty else { return joinRows }
        return joinRows.filter { !open.contains($0.key) }
    }
}
