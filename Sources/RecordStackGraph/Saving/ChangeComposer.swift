import RecordStackModel

/// Lays the changes of a context over those of its ancestors: what the store is told.
///
/// What an ancestor has changed is theirs where the merge policy decides.
struct ChangeFlattener {
    let coordinator: PersistentStoreCoordinator
    private let levels: [ChangeSet]
    private var judge: ConflictJudge
    private var rows: [Place: Row] = [:]
    private var order: [Place] = []
    private var yields: [Place: SlotSet] = [:]
    private var given: [Place: [(slot: Int, value: StoredValue)]] = [:]
    private var restored: Set<Place> = []
    private var spared: Set<Place> = []

    /// - Parameter levels: the changes of the topmost context first.
    init(_ levels: [ChangeSet], coordinator: PersistentStoreCoordinator, policy: MergePolicy) {
        self.levels = levels
        self.coordinator = coordinator
        judge = ConflictJudge(
            coordinator: coordinator, policy: policy,
            deleted: DeletedKeys(of: levels, in: coordinator.model))
    }

    struct Result {
        var changes: ChangeSet
        /// What gave way to an ancestor's changes.
        var yields: [Place: SlotSet]
        /// Values that a custom policy gave attributes.
        var given: [Place: [(slot: Int, value: StoredValue)]]
        /// What an ancestor was to delete, and does not.
        var restored: Set<Place>
        /// What was to be deleted, and is not, because an ancestor has changed it since.
        var spared: Set<Place>
    }

    struct Place: Hashable {
        let entity: Int
        let key: Int64
    }

    private struct Row {
        enum Kind {
            case inserted, updated, deleted, cancelled
        }

        var kind: Kind
        var version: RowVersion
        var slots: SlotSet
        var values: [StoredValue]
        var bases: [StoredValue]

        /// Whether what a deletion is laid over has been changed since it was seen: all values are known of what was
        /// loaded.
        func isBlind(for above: Row) -> Bool {
            if slots.isEmpty { return true }
            var isChanged = false
            above.slots.forEach { slot in
                if !above.values[slot].isStoredSame(as: bases[slot]) { isChanged = true }
            }
            return isChanged
        }
    }

    /// - Parameter levels: the changes of each level, the root's child first.
    /// - Throws: ``RecordStackError/Code/conflict`` where a level changed what the one above it
    ///   has changed since, or deleted, and the merge policy lets it fail.
    mutating func flatten() throws -> Result {
        for level in levels {
            for changes in level.entities { try lay(changes) }
        }
        try judge.throwIfAny()
        let gone = Set(
            rows.filter { $0.value.kind == .deleted || $0.value.kind == .cancelled }.keys)
        let links = LinkFlattener(coordinator: coordinator).flatten(levels.map(\.links)) {
            end, key in
            gone.contains { $0.key == key && coordinator.model.areKin($0.entity, end.entity) }
        }
        return Result(
            changes: ChangeSet(entities: build(levels), links: links), yields: yields,
            given: given, restored: restored, spared: spared)
    }

    private mutating func lay(_ changes: EntityChanges) throws {
        for (key, row) in Self.rows(of: changes) {
            let place = Place(entity: changes.entity, key: key)
            if let above = rows[place] {
                rows[place] = try lay(row, over: above, at: place)
            } else {
                rows[place] = row
                order.append(place)
            }
        }
    }

    private mutating func lay(_ row: Row, over above: Row, at place: Place) throws -> Row {
        switch (above.kind, row.kind) {
        case (.deleted, .deleted), (.cancelled, .deleted): return above
        case (.deleted, _), (.cancelled, _): return try lay(row, overDeleted: above, at: place)
        case (.inserted, .deleted), (.updated, .deleted):
            return try lay(deletion: row, over: above, at: place)
        default: return try merge(row, into: above, at: place)
        }
    }

    private mutating func lay(
        deletion: Row, over above: Row, at place: Place
    ) throws -> Row {
        if deletion.isBlind(for: above) {
            switch try judge.decide(.deletedHere, entity: place.entity, key: place.key) {
            case nil: return above
            case .storeTrump, .rollback, .fail:
                spared.insert(place)
                return above
            case .objectTrump, .overwrite, .values: break
            }
        }
        var row = deletion
        if above.kind == .inserted { row.kind = .cancelled } else { row.version = above.version }
        return row
    }

    private mutating func lay(
        _ row: Row, overDeleted above: Row, at place: Place
    ) throws -> Row {
        var row = row
        switch try judge.decide(.deletedThere, entity: place.entity, key: place.key) {
        case nil: return above
        case .storeTrump, .rollback, .fail:
            yields[place] = row.slots
            return above
        case .values(let values):
            let values = try judge.slots(of: values, entity: place.entity, key: place.key)
            for (slot, value) in values {
                row.values[slot] = value
                row.slots.insert(slot)
            }
            given[place] = values
        case .objectTrump, .overwrite: break
        }
        restored.insert(place)
        row.version = above.version
        if above.kind == .cancelled {
            row.kind = .inserted
            row.slots = SlotSet(all: row.values.count)
        }
        return row
    }

    private mutating func merge(_ row: Row, into above: Row, at place: Place) throws -> Row {
        let (clashes, properties) = judge.clashes(
            row.slots, entity: place.entity, bases: row.bases, ours: row.values,
            theirs: above.values)
        var (slots, given) = (row.slots, [(slot: Int, value: StoredValue)]())
        if !properties.isEmpty {
            let decision = try judge.decide(
                .changedOnBothSides, entity: place.entity, key: place.key, properties: properties)
            switch decision {
            case nil, .objectTrump?, .overwrite?, .fail?: break
            case .storeTrump?: slots = slots.subtracting(clashes)
            case .rollback?: slots = SlotSet()
            case .values(let values)?:
                given = try judge.slots(of: values, entity: place.entity, key: place.key)
            }
            let yielded = row.slots.subtracting(slots)
            if !yielded.isEmpty { yields[place] = yielded }
        }
        var merged = above
        slots.forEach { slot in
            if !above.slots.contains(slot) { merged.bases[slot] = row.bases[slot] }
            merged.values[slot] = row.values[slot]
            merged.slots.insert(slot)
        }
        if !given.isEmpty { self.given[place] = given }
        for (slot, value) in given {
            if !merged.slots.contains(slot) { merged.bases[slot] = above.values[slot] }
            merged.values[slot] = value
            merged.slots.insert(slot)
        }
        return merged
    }

    private static func rows(of changes: EntityChanges) -> [(Int64, Row)] {
        let width = changes.inserted.width
        let all = SlotSet(all: width)
        let none = [StoredValue](repeating: .null, count: width)
        let inserted = changes.insertedKeys.enumerated().map { row, key -> (Int64, Row) in
            // What comes back is compared with what an ancestor has made of it as the update that it was.
            let update = changes.overtakenUpdates[key]
            return (
                key,
                Row(
                    kind: .inserted, version: .noRow, slots: update?.slots ?? all,
                    values: changes.inserted.values(row: row), bases: update?.bases ?? none)
            )
        }
        let updated = changes.updates.enumerated().map { row, update in
            (
                update.key,
                Row(
                    kind: .updated, version: update.version, slots: update.slots,
                    values: changes.updated.values(row: row), bases: changes.bases.values(row: row))
            )
        }
        let deleted = changes.deletions.map {
            (
                $0.key,
                Row(
                    kind: .deleted, version: $0.version, slots: $0.seen == nil ? SlotSet() : all,
                    values: none, bases: $0.seen ?? none)
            )
        }
        return inserted + updated + deleted
    }

    private func build(_ levels: [ChangeSet]) -> [EntityChanges] {
        var builders: [Int: EntityChanges] = [:]
        var entities: [Int] = []
        for place in order {
            guard let row = rows[place] else { continue }
            if builders[place.entity] == nil {
                let width = coordinator.model.modelEntities[place.entity].description.slots.count
                builders[place.entity] = EntityChanges(entity: place.entity, width: width)
                entities.append(place.entity)
            }
            append(row, key: place.key, to: &builders[place.entity]!)
        }
        for level in levels {
            for changes in level.entities where changes.isSettled {
                if builders[changes.entity] == nil { entities.append(changes.entity) }
                settle(changes, in: &builders[changes.entity])
            }
        }
        for place in restored.union(spared) {
            guard let row = rows[place] else { continue }
            guard row.kind == .updated || row.kind == .inserted && spared.contains(place) else {
                continue
            }
            let version = row.kind == .inserted ? RowVersion.first : row.version.next
            builders[place.entity]?.settlements.append(
                Settlement(key: place.key, kind: .restored, version: version, row: row.values))
        }
        return entities.compactMap { builders[$0]?.withoutUselessVersions }
    }

    /// What a merge policy has decided of a level and the store holds for what is laid over it, too.
    private func settle(_ changes: EntityChanges, in builder: inout EntityChanges?) {
        var result =
            builder ?? EntityChanges(entity: changes.entity, width: changes.inserted.width)
        result.reinsertedVersions.merge(changes.reinsertedVersions) { first, _ in first }
        result.overtakenUpdates.merge(changes.overtakenUpdates) { above, below in
            var (slots, bases) = above
            below.slots.subtracting(slots).forEach { bases[$0] = below.bases[$0] }
            slots.formUnion(below.slots)
            return (slots, bases)
        }
        result.goneKeys += changes.goneKeys
        for settlement in changes.settlements {
            let row = rows[Place(entity: changes.entity, key: settlement.key)]
            guard let row else {
                result.settlements.append(settlement)
                continue
            }
            guard row.kind == .updated else { continue }
            result.settlements.append(
                Settlement(
                    key: settlement.key, kind: settlement.kind, version: row.version.next,
                    row: row.values))
        }
        builder = result
    }

    private func append(_ row: Row, key: Int64, to changes: inout EntityChanges) {
        switch row.kind {
        case .inserted:
            changes.insertedKeys.append(key)
            changes.inserted.append(values: row.values)
        case .updated:
            changes.updates.append(
                EntityChanges.Update(key: key, version: row.version, slots: row.slots))
            changes.updated.append(values: row.values)
            changes.bases.append(values: row.bases)
        case .deleted:
            changes.deletions.append(EntityChanges.Deletion(key: key, version: row.version))
        case .cancelled: changes.cancelledKeys.append(key)
        }
    }
}

extension EntityChanges {
    /// The same without the versions of rows that a level was to insert again and one below it has deleted.
    fileprivate var withoutUselessVersions: EntityChanges {
        if reinsertedVersions.isEmpty { return self }
        var result = self
        let inserted = Set(insertedKeys)
        result.reinsertedVersions = reinsertedVersions.filter { inserted.contains($0.key) }
        result.overtakenUpdates = overtakenUpdates.filter { inserted.contains($0.key) }
        return result
    }

    /// Whether a merge policy has decided of some of it.
    fileprivate var isSettled: Bool {
        !settlements.isEmpty || !goneKeys.isEmpty || !reinsertedVersions.isEmpty
    }
}
