import RecordStackModel

/// What the stored rows were before some commits.
///
/// Between two operations a context shows the commits that its last operation took in. What it loads there is newer if more was
/// committed since. The commits of this stack carry the old values of what they update, so the loaded rows are set back.
/// Deletions, batch updates and the commits of other stacks carry none: what they changed shows as it is stored.
struct RowHistory: Sendable {
    private struct Edit: Sendable {
        /// The version before.
        let version: RowVersion
        let slots: SlotSet
        let bases: RowBatch
        let row: Int
    }

    /// The edits of rows by hierarchy and key, oldest first.
    private var edits: [Int: [Int64: [Edit]]] = [:]
    private var inserted: [Int: Set<Int64>] = [:]
    /// Whether pairs of objects were related before, by linkage.
    private var pairs: [Int: [LinkPair: Bool]] = [:]

    /// - Parameter commits: oldest first.
    init(before commits: [CommittedChanges], _ model: ManagedObjectModel) {
        for commit in commits where !commit.isRemote {
            for changes in commit.changes.entities where !changes.lacksBases {
                add(changes, hierarchy: model.modelEntities[changes.entity].hierarchy)
            }
            for changes in commit.changes.links { add(changes) }
        }
    }

    private mutating func add(_ changes: EntityChanges, hierarchy: Int) {
        // A re-inserted row takes the place of one whose values no commit carries: it shows as it is stored.
        let new = changes.insertedKeys.filter { changes.reinsertedVersions[$0] == nil }
        if !new.isEmpty { inserted[hierarchy, default: []].formUnion(new) }
        for (row, update) in changes.updates.enumerated() {
            edits[hierarchy, default: [:]][update.key, default: []].append(
                Edit(version: update.version, slots: update.slots, bases: changes.bases, row: row))
        }
    }

    private mutating func add(_ changes: LinkChanges) {
        func note(_ pair: LinkPair, _ wasThere: Bool) {
            if pairs[changes.linkage]?[pair] == nil {
                pairs[changes.linkage, default: [:]][pair] = wasThere
            }
        }
        for pair in changes.removed { note(pair, true) }
        for row in changes.added { note(row.pair, false) }
    }

    /// True if the commits changed nothing whose old state is known.
    var isEmpty: Bool { edits.isEmpty && pairs.isEmpty && inserted.values.allSatisfy(\.isEmpty) }
}

// MARK: Rows

extension RowHistory {
    /// Sets a row back.
    /// - Returns: the version of the old row; nil if the row was not there.
    func setBack(
        _ values: inout [StoredValue], of key: Int64, hierarchy: Int, version: RowVersion
    ) -> RowVersion? {
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
    /// Where the rows led that were updated, by a to-one relationship.
    /// - Returns: the old owners by the member's key; nil for a row that was not there.
    func owners(at slot: Int, hierarchy: Int) -> [Int64: Int64?] {
        var owners: [Int64: Int64?] = [:]
        for (key, edits) in edits[hierarchy] ?? [:] {
            guard let first = edits.first(where: { $0.slots.contains(slot) }) else { continue }
            owners[key] = .some(first.bases.cell(row: first.row, slot: slot).integer)
        }
        for key in inserted[hierarchy] ?? [] { owners[key] = .some(nil) }
        return owners
    }

    /// Whether pairs of a linkage were there, for those that were added or removed.
    func pairs(of linkage: Int) -> [LinkPair: Bool] { pairs[linkage] ?? [:] }
}
