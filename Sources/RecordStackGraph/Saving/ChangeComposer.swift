import RecordStackChanges
import RecordStackModel

/// Composes the changes of a context and its ancestors into the changes that the store makes.
struct ChangeComposer {
    private let coordinator: PersistentStoreCoordinator
    private let levels: [ChangeSet]
    private var edits: [RowKey: RowEdit] = [:]
    private var order: [RowKey] = []
    /// The rows that a layer does not delete after all, because another layer keeps them.
    private var droppedRows: Set<RowKey> = []
    private var undeleted: Set<RowKey> = []
    /// The slots for which a layer takes another layer's value.
    private var takenSlots: [RowKey: SlotSet] = [:]

    /// Creates a composer of layers.
    ///
    /// - Parameter levels: the changes of each layer, those of the topmost context first.
    init(_ levels: [ChangeSet], coordinator: PersistentStoreCoordinator) {
        (self.levels, self.coordinator) = (levels, coordinator)
    }

    /// Returns the changes of all layers as one change set.
    ///
    /// - Throws: ``RecordStackError/Code/conflict`` if the layer above has changed or deleted what
    ///   a layer has changed, and the merge policy lets the save fail.
    mutating func compose(
        _ policy: MergePolicy, torn: [RowKey: SlotSet]
    ) throws -> ChangeSet {
        var merger = LayerMerger(levels, coordinator: coordinator, policy: policy, torn: torn)
        let merged = try levels.map { level in
            let layer = try merger.merge(level, over: edits)
            for (row, resolution) in layer.resolutions { note(resolution, of: row) }
            for entity in layer.changes.entities { entity.forEachEdit { lay($1, of: $0) } }
            return layer.changes
        }
        try merger.throwIfAny()
        let gone = Set(edits.lazy.filter(\.value.isDeletion).map(\.key))
        let links = LinkFlattener(coordinator: coordinator).flatten(levels.map(\.links)) {
            end, key in
            gone.contains { $0.key == key && coordinator.model.areKin($0.entity, end.entity) }
        }
        return ChangeSet(entities: build(merged), links: links)
    }

    private mutating func note(_ resolution: Resolution, of row: RowKey) {
        switch resolution.fate {
        case .drop where edits[row]?.isDeletion == false: droppedRows.insert(row)
        case .undelete: undeleted.insert(row)
        default: break
        }
        if resolution.fate == .drop { return }
        takenSlots[row, default: SlotSet()].formUnion(resolution.takenSlots)
        takenSlots[row]?.formUnion(resolution.decidedSlots)
    }

    private mutating func lay(_ edit: RowEdit, of row: RowKey) {
        if let parent = edits[row] {
            edits[row] = edit.composed(over: parent)
        } else {
            edits[row] = edit
            order.append(row)
        }
    }

    private func build(_ merged: [ChangeSet]) -> [EntityChanges] {
        var builders: [Int: EntityChanges] = [:]
        var entities: [Int] = []
        for row in order {
            guard var edit = edits[row] else { continue }
            if builders[row.entity] == nil {
                let width = coordinator.model.modelEntities[row.entity].description.slots.count
                builders[row.entity] = EntityChanges(entity: row.entity, width: width)
                entities.append(row.entity)
            }
            // The values are not needed: the store checks a deletion by its version.
            if edit.kind == .deleted { edit.slots = SlotSet() }
            builders[row.entity]!.append(edit, of: row.key)
        }
        for level in merged {
            for changes in level.entities where changes.isResolved {
                if builders[changes.entity] == nil { entities.append(changes.entity) }
                copyResolved(changes, in: &builders[changes.entity])
            }
        }
        for row in droppedRows.union(undeleted) {
            guard let edit = edits[row], let version = keptVersion(of: row, edit) else { continue }
            builders[row.entity]?.resolvedRows.append(
                ResolvedRow(key: row.key, kind: .restored, version: version, row: edit.values))
        }
        for (row, slots) in takenSlots where !slots.isEmpty {
            guard let edit = edits[row], !edit.isDeletion else { continue }
            let version = edit.kind == .updated ? edit.version.next : .first
            builders[row.entity]?.resolvedRows.append(
                ResolvedRow(key: row.key, kind: .values(slots), version: version, row: edit.values))
        }
        return entities.compactMap { builders[$0]?.withoutUselessVersions }
    }

    /// Returns the new version of a row that one layer would have deleted.
    ///
    /// Nil if no layer has to learn that the row is kept.
    private func keptVersion(of row: RowKey, _ edit: RowEdit) -> RowVersion? {
        switch edit.kind {
        case .updated: edit.version.next
        case .inserted: droppedRows.contains(row) ? .first : nil
        case .deleted, .cancelled: nil
        }
    }

    /// Adds the decisions that a merge policy has made between a layer and the store.
    ///
    /// They also apply to the layers that lie over that layer.
    private func copyResolved(_ changes: EntityChanges, in builder: inout EntityChanges?) {
        var result =
            builder ?? EntityChanges(entity: changes.entity, width: changes.inserted.width)
        result.reinsertedVersions.merge(changes.reinsertedVersions) { first, _ in first }
        result.updatesOfDeleted.merge(changes.updatesOfDeleted) { above, below in
            var (slots, bases) = above
            below.slots.subtracting(slots).forEach { bases[$0] = below.bases[$0] }
            slots.formUnion(below.slots)
            return (slots, bases)
        }
        result.alreadyDeletedKeys += changes.alreadyDeletedKeys
        for resolvedRow in changes.resolvedRows {
            let edit = edits[RowKey(entity: changes.entity, key: resolvedRow.key)]
            guard let edit else {
                result.resolvedRows.append(resolvedRow)
                continue
            }
            guard edit.kind == .updated else { continue }
            result.resolvedRows.append(
                ResolvedRow(
                    key: resolvedRow.key, kind: resolvedRow.kind, version: edit.version.next,
                    row: edit.values))
        }
        builder = result
    }
}

extension EntityChanges {
    /// The changes without the versions of re-inserted rows that a lower context has deleted.
    fileprivate var withoutUselessVersions: EntityChanges {
        if reinsertedVersions.isEmpty { return self }
        var result = self
        let inserted = Set(insertedKeys)
        result.reinsertedVersions = reinsertedVersions.filter { inserted.contains($0.key) }
        result.updatesOfDeleted = updatesOfDeleted.filter { inserted.contains($0.key) }
        return result
    }

    /// Whether a merge policy has decided about some of the changes.
    fileprivate var isResolved: Bool {
        !resolvedRows.isEmpty || !alreadyDeletedKeys.isEmpty || !reinsertedVersions.isEmpty
    }
}
