import RecordStackModel

/// Decides what becomes of a save whose rows are not as they were when its objects were changed.
///
/// Where this side and the other changed different properties, both changes stay, unless the merge policy
/// takes objects as a whole. Where both changed the same property, or one side deleted
/// the object, the policy decides.
struct ConflictResolver {
    private let coordinator: PersistentStoreCoordinator
    private var judge: ConflictJudge
    private var pairsGivenUp: [PairGivenUp] = []

    /// - Parameter deleting: all that is saved or pushed, of which the changes to resolve are a part.
    init(coordinator: PersistentStoreCoordinator, policy: MergePolicy, deleting: [ChangeSet]) {
        self.coordinator = coordinator
        judge = ConflictJudge(
            coordinator: coordinator, policy: policy,
            deleted: DeletedKeys(of: deleting, in: coordinator.model))
    }

    /// The changes to write instead.
    /// - Throws: ``RecordStackError/Code/conflict`` with all conflicts that fail the save.
    mutating func resolve(_ changes: ChangeSet, stale: [StaleRow]) throws -> ChangeSet {
        pairsGivenUp = []
        var entities = try changes.entities.map { entity in
            let rows = stale.filter { $0.entity == entity.entity }
            return rows.isEmpty ? entity : try resolve(entity, rows)
        }
        try judge.throwIfAny()
        if !pairsGivenUp.isEmpty {
            var parting = PairParting(entities, of: coordinator.model)
            entities = parting.parting(pairsGivenUp)
        }
        return ChangeSet(entities: entities, links: changes.links)
    }

    private mutating func resolve(
        _ changes: EntityChanges, _ stale: [StaleRow]
    ) throws -> EntityChanges {
        let rows = Dictionary(stale.map { ($0.key, $0) }, uniquingKeysWith: { a, _ in a })
        var result = changes
        result.deletions = []
        result.updates = []
        result.updated = RowBatch(width: changes.updated.width, capacity: changes.updates.count)
        result.bases = RowBatch(width: changes.updated.width, capacity: changes.updates.count)
        for deletion in changes.deletions {
            if let row = rows[deletion.key] {
                try resolve(deletion, row, into: &result)
            } else {
                result.deletions.append(deletion)
            }
        }
        for (index, update) in changes.updates.enumerated() {
            let (ours, bases) = (
                changes.updated.values(row: index), changes.bases.values(row: index)
            )
            if let row = rows[update.key] {
                try resolve(Ours(update: update, values: ours, bases: bases), row, into: &result)
            } else {
                result.append(update, ours, bases)
            }
        }
        try resolveReturned(rows, into: &result)
        return result
    }

    /// What was to be inserted again is an update of what others have inserted again before.
    private mutating func resolveReturned(
        _ rows: [Int64: StaleRow], into result: inout EntityChanges
    ) throws {
        let changes = result
        let isReturned = { changes.reinsertedVersions[$0] != nil && rows[$0]?.current != nil }
        if !changes.insertedKeys.contains(where: isReturned) { return }
        result.insertedKeys = []
        result.inserted = RowBatch(width: changes.inserted.width)
        for (index, key) in changes.insertedKeys.enumerated() {
            let values = changes.inserted.values(row: index)
            guard isReturned(key), let row = rows[key] else {
                result.insertedKeys.append(key)
                result.inserted.append(values: values)
                continue
            }
            let version = result.reinsertedVersions.removeValue(forKey: key) ?? .first
            let update = result.overtakenUpdates.removeValue(forKey: key)
            let ours = Ours(
                update: EntityChanges.Update(
                    key: key, version: version,
                    slots: update?.slots ?? SlotSet(all: values.count)),
                values: values,
                // Where nobody knows what was changed, everything was.
                bases: update?.bases ?? [StoredValue](repeating: .null, count: values.count))
            try resolve(ours, row, into: &result)
        }
    }

    private mutating func resolve(
        _ deletion: EntityChanges.Deletion, _ stale: StaleRow, into result: inout EntityChanges
    ) throws {
        // What is deleted on both sides is deleted.
        guard let current = stale.current else {
            result.goneKeys.append(deletion.key)
            return
        }
        switch try judge.decide(.deletedHere, entity: stale.entity, key: stale.key) {
        case nil: break
        case .storeTrump, .rollback, .fail:
            result.settlements.append(
                Settlement(
                    key: deletion.key, kind: .restored, version: current.version,
                    row: current.values.values(row: 0)))
        case .objectTrump, .overwrite, .values:
            result.deletions.append(
                EntityChanges.Deletion(
                    key: deletion.key, version: current.version,
                    // What it was decided about.
                    seen: current.values.values(row: 0)))
        }
    }

    /// An update, with the whole row as this side has it and the values that its changes are changes of.
    private struct Ours {
        let update: EntityChanges.Update
        let values: [StoredValue]
        let bases: [StoredValue]
    }

    private mutating func resolve(
        _ ours: Ours, _ stale: StaleRow, into result: inout EntityChanges
    ) throws {
        guard let current = stale.current else {
            return try resolveDeletedThere(ours, stale, into: &result)
        }
        let theirs = Theirs(version: current.version, values: current.values.values(row: 0))
        if let whole = judge.policy.ofWholeObjects {
            return try carryOut(whole.kind, ours, theirs, clashes: ours.update.slots, &result)
        }
        let (clashes, properties) = judge.clashes(
            ours.update.slots, entity: stale.entity, bases: ours.bases, ours: ours.values,
            theirs: theirs.values, torn: stale.torn)
        if properties.isEmpty {
            return try carryOut(.objectTrump, ours, theirs, clashes: clashes, &result)
        }
        let decision = try judge.decide(
            .changedOnBothSides, entity: stale.entity, key: stale.key, properties: properties)
        if let decision { try carryOut(decision, ours, theirs, clashes: clashes, &result) }
    }

    private struct Theirs {
        let version: RowVersion
        let values: [StoredValue]
    }

    private mutating func resolveDeletedThere(
        _ ours: Ours, _ stale: StaleRow, into result: inout EntityChanges
    ) throws {
        var (row, slots, bases) = (ours.values, ours.update.slots, ours.bases)
        switch try judge.decide(.deletedThere, entity: stale.entity, key: stale.key) {
        case nil: return
        case .storeTrump, .rollback, .fail:
            result.goneKeys.append(stale.key)
            return
        case .values(let values):
            let given = try judge.slots(of: values, entity: stale.entity, key: stale.key)
            for (slot, value) in given {
                if !slots.contains(slot) { bases[slot] = row[slot] }
                row[slot] = value
                slots.insert(slot)
            }
        case .objectTrump, .overwrite: break
        }
        // What was captured stays as it is.
        if result.reinsertedVersions.isEmpty {
            result.inserted = RowBatch(copying: result.inserted)
        }
        result.insertedKeys.append(stale.key)
        result.inserted.append(values: row)
        result.reinsertedVersions[stale.key] = ours.update.version
        result.overtakenUpdates[stale.key] = (slots, bases)
    }

    /// Lays this side over the other as it was decided.
    private mutating func carryOut(
        _ decision: MergeDecision.Kind, _ ours: Ours, _ theirs: Theirs, clashes: SlotSet,
        _ result: inout EntityChanges
    ) throws {
        var (slots, yielded, row) = (ours.update.slots, SlotSet(), theirs.values)
        var given: [(slot: Int, value: StoredValue)] = []
        switch decision {
        case .objectTrump, .fail: break
        case .storeTrump: (slots, yielded) = (slots.subtracting(clashes), clashes)
        case .rollback: (slots, yielded) = (SlotSet(), slots)
        case .overwrite: slots = SlotSet(all: ours.values.count)
        case .values(let values):
            given = try judge.slots(of: values, entity: result.entity, key: ours.update.key)
            for (slot, _) in given {
                slots.insert(slot)
                yielded.insert(slot)
            }
        }
        slots.forEach { row[$0] = ours.values[$0] }
        for (slot, value) in given { row[slot] = value }
        if !slots.isEmpty {
            let update = EntityChanges.Update(
                key: ours.update.key, version: theirs.version, slots: slots)
            result.append(update, row, theirs.values)
        }
        result.settle(
            yielded, of: ours.update.key,
            version: slots.isEmpty ? theirs.version : theirs.version.next, row)
        if !yielded.isEmpty && coordinator.model.hasPairs {
            noteGivenUpPairs(of: ours, yielded, for: row, entity: result.entity)
        }
    }

    private mutating func noteGivenUpPairs(
        of ours: Ours, _ yielded: SlotSet, for row: [StoredValue], entity: Int
    ) {
        for lead in coordinator.types.followings[entity].leads
        where lead.isPair && yielded.contains(lead.slot) {
            let (mine, theirs) = (ours.values[lead.slot].key, row[lead.slot].key)
            if mine == theirs { continue }
            pairsGivenUp.append(
                PairGivenUp(key: ours.update.key, lead: lead, ours: mine, theirs: theirs))
        }
    }
}

extension StoredValue {
    /// The key of a to-one relationship, 0 for none.
    fileprivate var key: Int64 { if case .integer(let key) = self { key } else { 0 } }
}

extension EntityChanges {
    /// Notes which values of an object have given way, and to what. What gave way in an earlier attempt gives way to what is
    /// there now.
    mutating func settle(_ slots: SlotSet, of key: Int64, version: RowVersion, _ row: [StoredValue])
    {
        var slots = slots
        slots.formUnion(withdrawSettlement(of: key))
        if slots.isEmpty { return }
        settlements.append(
            Settlement(key: key, kind: .values(slots), version: version, row: row))
    }

    /// - Returns: which values of an object have given way.
    private mutating func withdrawSettlement(of key: Int64) -> SlotSet {
        let place = settlements.firstIndex {
            if case .values = $0.kind { $0.key == key } else { false }
        }
        guard let place, case .values(let slots) = settlements.remove(at: place).kind else {
            return SlotSet()
        }
        return slots
    }

    mutating func append(
        _ update: Update, _ values: [StoredValue], _ bases: [StoredValue]
    ) {
        updates.append(update)
        updated.append(values: values)
        self.bases.append(values: bases)
    }
}
