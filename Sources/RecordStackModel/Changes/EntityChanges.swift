/// The changes that a save makes to the rows of one entity, by value.
package struct EntityChanges: Sendable {
    /// A row whose values change.
    package struct Update: Sendable {
        package let key: Int64
        /// The version that the row must still have.
        package let version: RowVersion
        /// The slots that change.
        package let slots: SlotSet

        package init(key: Int64, version: RowVersion, slots: SlotSet) {
            self.key = key
            self.version = version
            self.slots = slots
        }
    }

    /// A row to delete.
    package struct Deletion: Sendable {
        package let key: Int64
        /// The version that the row must still have.
        package let version: RowVersion
        /// The values that the deleted object showed, if an ancestor may have changed it since.
        ///
        /// Nil if the object was not loaded.
        package let seen: [StoredValue]?

        package init(key: Int64, version: RowVersion, seen: [StoredValue]? = nil) {
            self.key = key
            self.version = version
            self.seen = seen
        }
    }

    /// The entity's index in the model.
    package let entity: Int
    package var insertedKeys: ContiguousArray<Int64> = []
    /// The new rows in full, in the order of the keys.
    package var inserted: RowBatch
    package var updates: UpdateList = []
    /// The full rows after the update, in the order of the updates.
    package var updated: RowBatch
    /// The rows before the update, with values only in the slots that change.
    package var bases: RowBatch
    /// The properties that few saves use.
    ///
    /// They share one object, so that copying the changes retains one object for all of them.
    private var rare: Rare?

    /// True if the values before the update are unknown, which leaves the bases empty.
    package var lacksBaseImage = false

    /// The key up to which all rows were deleted; nil if there is no such range.
    package var deletedThroughKey: Int64?

    package init(entity: Int, width: Int, insertions: Int = 1, updates: Int = 1) {
        self.entity = entity
        inserted = RowBatch(width: width, capacity: insertions)
        updated = RowBatch(width: width, capacity: updates)
        bases = RowBatch(width: width, capacity: updates)
    }

    /// Returns the changes with the new version of the rows that the save re-inserts.
    package func reinserting(as version: RowVersion) -> EntityChanges {
        if reinsertedVersions.isEmpty { return self }
        var changes = self
        changes.reinsertedVersions = reinsertedVersions.mapValues { _ in version }
        changes.resolvedRows = resolvedRows.map { resolvedRow in
            guard reinsertedVersions[resolvedRow.key] != nil else { return resolvedRow }
            return ResolvedRow(
                key: resolvedRow.key, kind: resolvedRow.kind, version: version, row: resolvedRow.row
            )
        }
        return changes
    }

    package var isEmpty: Bool {
        !writesSomething && deletedThroughKey == nil && discardedInsertKeys.isEmpty
            && alreadyDeletedKeys.isEmpty
            && resolvedRows.isEmpty
    }

    package var writesSomething: Bool {
        !insertedKeys.isEmpty || !updates.isEmpty || !deletions.isEmpty
    }
}

extension EntityChanges {
    /// - Note: `@unchecked Sendable`: a value writes to an instance only while it holds the only
    ///   reference to it; `ownRare` copies the instance first otherwise.
    private final class Rare: @unchecked Sendable {
        var deletions: [Deletion] = []
        var discardedInsertKeys: [Int64] = []
        var alreadyDeletedKeys: [Int64] = []
        var reinsertedVersions: [Int64: RowVersion] = [:]
        var updatesOfDeleted: [Int64: (slots: SlotSet, bases: [StoredValue])] = [:]
        var resolvedRows: [ResolvedRow] = []

        init() {}

        init(copying other: Rare) {
            deletions = other.deletions
            discardedInsertKeys = other.discardedInsertKeys
            alreadyDeletedKeys = other.alreadyDeletedKeys
            reinsertedVersions = other.reinsertedVersions
            updatesOfDeleted = other.updatesOfDeleted
            resolvedRows = other.resolvedRows
        }
    }

    /// Returns the value's own instance, copied first if another value shares it.
    private mutating func ownRare() -> Rare {
        if isKnownUniquelyReferenced(&rare), let rare { return rare }
        let own = rare.map(Rare.init(copying:)) ?? Rare()
        rare = own
        return own
    }

    package var deletions: [Deletion] {
        get { rare?.deletions ?? [] }
        _modify { yield &ownRare().deletions }
    }

    /// The keys of objects that one context of the save created and a context below it deleted.
    ///
    /// The save writes no row for these objects.
    package var discardedInsertKeys: [Int64] {
        get { rare?.discardedInsertKeys ?? [] }
        _modify { yield &ownRare().discardedInsertKeys }
    }

    /// The keys of rows to delete that another context or stack has already deleted.
    ///
    /// The save writes nothing for these rows.
    package var alreadyDeletedKeys: [Int64] {
        get { rare?.alreadyDeletedKeys ?? [] }
        _modify { yield &ownRare().alreadyDeletedKeys }
    }

    /// The versions, by key, of rows that were deleted elsewhere and that the save re-inserts.
    ///
    /// Before the save is written, each version is that of the deleted row. Afterwards, it is the
    /// version of the new row.
    package var reinsertedVersions: [Int64: RowVersion] {
        get { rare?.reinsertedVersions ?? [:] }
        _modify { yield &ownRare().reinsertedVersions }
    }

    /// The updates, by key, that the save would have made to the rows that it re-inserts.
    ///
    /// Each update has the changed slots and the row before the update. If another stack re-inserts
    /// a row first, the save merges the update into that row.
    package var updatesOfDeleted: [Int64: (slots: SlotSet, bases: [StoredValue])] {
        get { rare?.updatesOfDeleted ?? [:] }
        _modify { yield &ownRare().updatesOfDeleted }
    }

    /// The merge policy's decisions, which the contexts of the save apply when it is acknowledged.
    package var resolvedRows: [ResolvedRow] {
        get { rare?.resolvedRows ?? [] }
        _modify { yield &ownRare().resolvedRows }
    }
}

extension RecordStackError {
    package static func wrongVersion(of id: ManagedObjectID) -> RecordStackError {
        RecordStackError(
            .corrupt,
            "The row of \(id) has a _version that is none: another program wrote it. Write an integer from "
                + "1 on.", entity: id.entityName, objectID: id, property: "_version")
    }
}

/// The changes that a save makes to the store, by value.
package struct ChangeSet: Sendable {
    /// The changes to rows, by entity.
    ///
    /// Iterate over the indices in time-critical code: a copy of an element retains six objects.
    package var entities: [EntityChanges]
    /// The changes to join tables.
    package var links: [LinkChanges]
    /// True if the changes omit some rows because there were too many to list.
    package var isTruncated = false

    package init(
        entities: [EntityChanges] = [], links: [LinkChanges] = [], isTruncated: Bool = false
    ) {
        self.isTruncated = isTruncated
        // Filtering copies the array, so an array without empty elements is kept as it is.
        let isKept =
            entities.indices.allSatisfy { !entities[$0].isEmpty }
            && links.allSatisfy { !$0.isEmpty }
        self.entities = isKept ? entities : entities.filter { !$0.isEmpty }
        self.links = isKept ? links : links.filter { !$0.isEmpty }
    }

    package var isEmpty: Bool { entities.isEmpty && links.isEmpty && !isTruncated }

    /// Whether the changes need any statement in the store.
    package var writesSomething: Bool {
        !links.isEmpty || entities.indices.contains { entities[$0].writesSomething }
    }

    /// Whether a merge policy has decided against changes of the save.
    package var hasResolvedRows: Bool {
        hasGoneKeys || entities.indices.contains { !entities[$0].resolvedRows.isEmpty }
    }

    /// Whether the save treats any rows as already deleted.
    package var hasGoneKeys: Bool {
        entities.indices.contains { !entities[$0].alreadyDeletedKeys.isEmpty }
    }

    package var summary: SaveSummary {
        entities.indices.reduce(into: SaveSummary()) {
            $0.inserted += entities[$1].insertedKeys.count
            $0.updated += entities[$1].updates.count
            $0.deleted += entities[$1].deletions.count
        }.adding(links)
    }

    package var rowCount: Int {
        let summary = summary
        return summary.inserted + summary.updated + summary.deleted
            + links.reduce(0) { $0 + $1.count }
    }
}
