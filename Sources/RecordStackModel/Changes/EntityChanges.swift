/// What a save does to the rows of one entity, by value.
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

    /// A row that goes away.
    package struct Deletion: Sendable {
        package let key: Int64
        /// The version that the row must still have.
        package let version: RowVersion
        /// What was before the eyes of who deleted it, where an ancestor may have changed it since; nil of what was not
        /// loaded.
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
    /// The whole new rows, in the order of the keys.
    package var inserted: RowBatch
    package var updates: UpdateList = []
    /// The whole rows after the update, in the order of the updates.
    package var updated: RowBatch
    /// The rows before the update; only the slots that change are filled.
    package var bases: RowBatch
    /// The properties that few saves use, in one object, so that copying the changes retains one object for all of them.
    private var rare: Rare?

    /// Whether nobody knows how the updated rows were before: the bases are empty.
    package var lacksBaseImage = false

    /// All rows up to this key were deleted.
    package var deletedThroughKey: Int64?

    package init(entity: Int, width: Int, insertions: Int = 1, updates: Int = 1) {
        self.entity = entity
        inserted = RowBatch(width: width, capacity: insertions)
        updated = RowBatch(width: width, capacity: updates)
        bases = RowBatch(width: width, capacity: updates)
    }

    /// The same as it is written: the rows that are inserted again have a new incarnation.
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
    /// - Note: `@unchecked Sendable`: a value writes to an instance only while it alone has it.
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

    /// Returns an instance that no other value has.
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

    /// Objects that one context of the save had made and one below it has deleted: nothing of them
    /// is written.
    package var discardedInsertKeys: [Int64] {
        get { rare?.discardedInsertKeys ?? [] }
        _modify { yield &ownRare().discardedInsertKeys }
    }

    /// Rows that were to be deleted and that others had deleted already: nothing of them is written.
    package var alreadyDeletedKeys: [Int64] {
        get { rare?.alreadyDeletedKeys ?? [] }
        _modify { yield &ownRare().alreadyDeletedKeys }
    }

    /// The versions of rows that others had deleted and that are inserted again, by key: that of the deleted row until
    /// the save is written, then that of the new one.
    package var reinsertedVersions: [Int64: RowVersion] {
        get { rare?.reinsertedVersions ?? [:] }
        _modify { yield &ownRare().reinsertedVersions }
    }

    /// Of those, what was to be updated, in case the rows are there again: the slots, and the rows before the update.
    package var updatesOfDeleted: [Int64: (slots: SlotSet, bases: [StoredValue])] {
        get { rare?.updatesOfDeleted ?? [:] }
        _modify { yield &ownRare().updatesOfDeleted }
    }

    /// The decisions of merge policies, which the contexts of the save take over.
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

/// What a save does to the store: objects turned into values.
package struct ChangeSet: Sendable {
    /// What happens to rows, by entity.
    ///
    /// Walk through the indices where time matters: a copy of an element retains six objects.
    package var entities: [EntityChanges]
    /// What happens to relationships that are kept beside the rows of objects.
    package var links: [LinkChanges]
    /// Whether rows were changed that are not listed, because there were too many.
    package var isTruncated = false

    package init(
        entities: [EntityChanges] = [], links: [LinkChanges] = [], isTruncated: Bool = false
    ) {
        self.isTruncated = isTruncated
        // What is kept as it is is not copied.
        let isKept =
            entities.indices.allSatisfy { !entities[$0].isEmpty }
            && links.allSatisfy { !$0.isEmpty }
        self.entities = isKept ? entities : entities.filter { !$0.isEmpty }
        self.links = isKept ? links : links.filter { !$0.isEmpty }
    }

    package var isEmpty: Bool { entities.isEmpty && links.isEmpty && !isTruncated }

    /// Whether the store has anything to do.
    package var writesSomething: Bool {
        !links.isEmpty || entities.indices.contains { entities[$0].writesSomething }
    }

    /// Whether a merge policy has decided against what was captured.
    package var hasResolvedRows: Bool {
        hasGoneKeys || entities.indices.contains { !entities[$0].resolvedRows.isEmpty }
    }

    /// Whether rows are taken for gone.
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
