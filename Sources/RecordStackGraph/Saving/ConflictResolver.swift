import RecordStackChanges
import RecordStackModel

/// Resolves the conflicts of changes whose rows in the store have changed meanwhile.
struct ConflictResolver {
    private let coordinator: PersistentStoreCoordinator
    private let merge = ThreeWayMerge(boundary: .store)
    private var policy: PolicyEvaluator
    private var oneToOneReverts: OneToOneReverts

    /// Creates a resolver.
    ///
    /// - Parameter deleting: all changes of the save or push, to which the changes to resolve
    ///   belong.
    init(coordinator: PersistentStoreCoordinator, policy: MergePolicy, deleting: [ChangeSet]) {
        self.coordinator = coordinator
        self.policy = PolicyEvaluator(
            coordinator: coordinator, policy: policy,
            deleted: DeletedKeys(of: deleting, in: coordinator.model))
        oneToOneReverts = OneToOneReverts(types: coordinator.types)
    }

    /// Returns the changes to write instead.
    ///
    /// - Throws: ``RecordStackError/Code/conflict`` with all conflicts that fail the save.
    mutating func resolve(_ changes: ChangeSet, stale: [StaleRow]) throws -> ChangeSet {
        oneToOneReverts = OneToOneReverts(types: coordinator.types)
        let entities = try changes.entities.map { entity in
            let rows = stale.filter { $0.entity == entity.entity }
            return rows.isEmpty ? entity : try resolve(entity, rows)
        }
        try policy.throwIfAny()
        return ChangeSet(
            entities: oneToOneReverts.reverting(entities, of: coordinator.model),
            links: changes.links)
    }

    private mutating func resolve(
        _ changes: EntityChanges, _ stale: [StaleRow]
    ) throws -> EntityChanges {
        let rows = Dictionary(stale.map { ($0.key, $0) }, uniquingKeysWith: { a, _ in a })
        var result = changes.withoutRows
        // A row that no other context has re-inserted is inserted as planned.
        for index in changes.insertedKeys.indices {
            let key = changes.insertedKeys[index]
            if changes.reinsertedVersions[key] != nil, let row = rows[key], row.current != nil {
                result.reinsertedVersions[key] = nil
                result.updatesOfDeleted[key] = nil
                try resolve(changes.edit(ofInsertion: index), row, into: &result)
            } else {
                result.insertedKeys.append(key)
                result.inserted.append(values: changes.inserted.values(row: index))
            }
        }
        for deletion in changes.deletions {
            if let row = rows[deletion.key] {
                try resolve(changes.edit(of: deletion), row, into: &result)
            } else {
                result.deletions.append(deletion)
            }
        }
        for index in changes.updates.indices {
            let edit = changes.edit(ofUpdate: index)
            if let row = rows[changes.updates.key(at: index)] {
                try resolve(edit, row, into: &result)
            } else {
                result.append(edit, of: changes.updates.key(at: index))
            }
        }
        return result
    }

    private mutating func resolve(
        _ ours: RowEdit, _ stale: StaleRow, into result: inout EntityChanges
    ) throws {
        let theirs = stale.theirs
        let row = RowKey(entity: stale.entity, key: stale.key)
        let resolution = try merge.resolve(ours, of: row, against: theirs, asking: &policy)
        switch resolution.fate {
        case .conflict: break
        case .drop: drop(stale.key, theirs, &result)
        case .undelete: undelete(ours, stale.key, resolution, &result)
        case .keep:
            guard let theirs else { break }
            keep(ours, stale.key, resolution, over: theirs, &result)
        }
    }

    private func drop(_ key: Int64, _ theirs: TheirRow?, _ result: inout EntityChanges) {
        guard let theirs else { return result.alreadyDeletedKeys.append(key) }
        result.resolvedRows.append(
            ResolvedRow(key: key, kind: .restored, version: theirs.version, row: theirs.values))
    }

    private func undelete(
        _ ours: RowEdit, _ key: Int64, _ resolution: Resolution, _ result: inout EntityChanges
    ) {
        guard let edit = ours.applying(resolution, over: nil) else { return }
        result.insertedKeys.append(key)
        result.inserted.append(values: edit.values)
        result.reinsertedVersions[key] = edit.version
        result.updatesOfDeleted[key] = (edit.slots, edit.base)
        // The version becomes that of the new row when the save is written.
        result.noteResolved(resolution.decidedSlots, of: key, version: edit.version, edit.values)
    }

    /// Makes our change a change of their row.
    private mutating func keep(
        _ ours: RowEdit, _ key: Int64, _ resolution: Resolution, over theirs: TheirRow,
        _ result: inout EntityChanges
    ) {
        if ours.isDeletion {
            // The new deletion has seen the row about which the policy has decided.
            let seen = EntityChanges.Deletion(
                key: key, version: theirs.version, seen: theirs.values)
            return result.deletions.append(seen)
        }
        guard var edit = ours.applying(resolution, over: theirs)?.rebased(on: theirs) else {
            return
        }
        edit.kind = .updated
        if !edit.slots.isEmpty { result.append(edit, of: key) }
        var takenSlots = resolution.takenSlots
        takenSlots.formUnion(resolution.decidedSlots)
        result.noteResolved(
            takenSlots, of: key,
            version: edit.slots.isEmpty ? theirs.version : theirs.version.next, edit.values)
        let row = RowKey(entity: result.entity, key: key)
        oneToOneReverts.note(ours, of: row, takenSlots: takenSlots, to: edit.values)
    }
}

extension StaleRow {
    /// The row in the store; nil if it is gone.
    ///
    /// All slots count as changed, because it is unknown which of them were changed.
    fileprivate var theirs: TheirRow? {
        current.map { current in
            TheirRow(
                version: current.version, values: current.values.values(row: 0),
                changed: SlotSet(all: current.values.width), torn: torn)
        }
    }
}

extension EntityChanges {
    /// Records the slots of an object that take the other side's values, and the resulting row.
    ///
    /// Slots that an earlier attempt has recorded take the values of this attempt.
    mutating func noteResolved(
        _ slots: SlotSet, of key: Int64, version: RowVersion, _ row: [StoredValue]
    ) {
        var slots = slots
        slots.formUnion(withdrawResolvedRow(of: key))
        if slots.isEmpty { return }
        resolvedRows.append(
            ResolvedRow(key: key, kind: .values(slots), version: version, row: row))
    }

    /// Removes the record of an object's slots.
    ///
    /// - Returns: the slots that were recorded.
    private mutating func withdrawResolvedRow(of key: Int64) -> SlotSet {
        let index = resolvedRows.firstIndex {
            if case .values = $0.kind { $0.key == key } else { false }
        }
        guard let index, case .values(let slots) = resolvedRows.remove(at: index).kind else {
            return SlotSet()
        }
        return slots
    }
}
