import RecordStackChanges
import RecordStackModel

/// A one-to-one relationship that has given way to the other side's: what it had changed at its partners gives way with it.
struct OneToOneGivenUp {
    let key: Int64
    let reference: InverseTable.Reference
    /// The keys of our target and of theirs; 0 for none.
    let ours: Int64
    let theirs: Int64
}

/// The one-to-one relationships that have given way.
struct OneToOnePartings {
    let types: TypeTable
    private var pairs: [OneToOneGivenUp] = []

    init(types: TypeTable) {
        self.types = types
    }

    /// Notes those of an object.
    /// - Parameter row: the other side's values.
    mutating func note(
        _ edit: RowEdit, of row: RowKey, takenSlots: SlotSet, to values: [StoredValue]
    ) {
        if takenSlots.isEmpty { return }
        for reference in types.inverseTables[row.entity].references
        where reference.isOneToOne && takenSlots.contains(reference.slot) {
            let (mine, theirs) = (edit.values[reference.slot].key, values[reference.slot].key)
            if mine != theirs {
                pairs.append(
                    OneToOneGivenUp(key: row.key, reference: reference, ours: mine, theirs: theirs))
            }
        }
    }

    /// The changes without what the noted relationships had changed at their other ends.
    func parting(_ entities: [EntityChanges], of model: ManagedObjectModel) -> [EntityChanges] {
        if pairs.isEmpty { return entities }
        var parting = PairParting(entities, of: model)
        return parting.parting(pairs)
    }
}

extension StoredValue {
    /// The key of a to-one relationship, 0 for none.
    fileprivate var key: Int64 { if case .integer(let key) = self { key } else { 0 } }
}

/// Takes what pairs that were given up have changed of other objects out of the changes that are saved.
struct PairParting {
    private let model: ManagedObjectModel
    private var entities: [EntityChanges]
    /// Where the updates and insertions of a hierarchy's objects stand, by key.
    private var places: [Int: [Int64: Place]] = [:]
    private var dropped: [Int: [Int64: SlotSet]] = [:]

    private struct Place {
        let entity: Int
        let row: Int
        let isInserted: Bool
    }

    init(_ entities: [EntityChanges], of model: ManagedObjectModel) {
        (self.entities, self.model) = (entities, model)
        for (place, changes) in entities.enumerated() {
            let hierarchy = model.modelEntities[changes.entity].hierarchy
            for (row, update) in changes.updates.enumerated() {
                places[hierarchy, default: [:]][update.key] = Place(
                    entity: place, row: row, isInserted: false)
            }
            for (row, key) in changes.insertedKeys.enumerated() {
                places[hierarchy, default: [:]][key] = Place(
                    entity: place, row: row, isInserted: true)
            }
        }
    }

    /// The changes without what the pairs had changed at their other ends.
    mutating func parting(_ pairs: [OneToOneGivenUp]) -> [EntityChanges] {
        for pair in pairs { part(pair) }
        return entities.indices.map { place in
            dropped[place].map { entities[place].dropping($0) } ?? entities[place]
        }
    }

    private mutating func part(_ pair: OneToOneGivenUp) {
        guard case .toOne(let back) = pair.reference.inverse else { return }
        let others = model.modelEntities[pair.reference.destination].hierarchy
        // The partner here is whose it was before, …
        if pair.ours != 0,
            let before = drop(back, of: pair.ours, in: others, leadingTo: pair.key), before != 0,
            let own = model.modelEntities[pair.reference.destination].relationships.first(where: {
                $0.slot == back
            })
        {
            let hierarchy = model.modelEntities[own.destination].hierarchy
            _ = drop(
                pair.reference.slot, of: before, in: hierarchy, leadingTo: 0, from: pair.ours)
        }
        // … and the partner there stays the object's.
        if pair.theirs != 0 {
            _ = drop(back, of: pair.theirs, in: others, leadingTo: 0, from: pair.key)
        }
    }

    /// Drops the change of a slot where it is the one that a pair has made.
    /// - Returns: where the slot led before; nil where there is no such change.
    private mutating func drop(
        _ slot: Int, of key: Int64, in hierarchy: Int, leadingTo new: Int64, from old: Int64? = nil
    ) -> Int64? {
        guard let place = places[hierarchy]?[key] else { return nil }
        let changes = entities[place.entity]
        let batch = place.isInserted ? changes.inserted : changes.updated
        guard place.isInserted || changes.updates[place.row].slots.contains(slot),
            batch.cell(row: place.row, slot: slot).integer == new
        else { return nil }
        let base = place.isInserted ? 0 : changes.bases.cell(row: place.row, slot: slot).integer
        if let old, old != base { return nil }
        dropped[place.entity, default: [:]][key, default: SlotSet()].insert(slot)
        return base
    }
}

extension EntityChanges {
    /// The same changes without those of some slots, by key, which are settled with what was there before.
    fileprivate func dropping(_ slots: [Int64: SlotSet]) -> EntityChanges {
        var result = self
        result.updates = []
        result.updated = RowBatch(width: updated.width, capacity: updates.count)
        result.bases = RowBatch(width: updated.width, capacity: updates.count)
        for (row, update) in updates.enumerated() {
            var values = updated.values(row: row)
            let bases = bases.values(row: row)
            let given = slots[update.key] ?? SlotSet()
            given.forEach { values[$0] = bases[$0] }
            let left = update.slots.subtracting(given)
            if !left.isEmpty {
                let edit = RowEdit(
                    kind: .updated, version: update.version, slots: left, values: values,
                    base: bases)
                result.append(edit, of: update.key)
            }
            if given.isEmpty { continue }
            result.noteResolved(
                given, of: update.key, version: left.isEmpty ? update.version : update.version.next,
                values)
        }
        if insertedKeys.contains(where: { slots[$0] != nil }) { result.dropInserted(slots) }
        return result
    }

    private mutating func dropInserted(_ slots: [Int64: SlotSet]) {
        let before = inserted
        inserted = RowBatch(width: before.width, capacity: insertedKeys.count)
        for (row, key) in insertedKeys.enumerated() {
            var values = before.values(row: row)
            slots[key]?.forEach { values[$0] = .null }
            inserted.append(values: values)
            if let given = slots[key] {
                noteResolved(given, of: key, version: reinsertedVersions[key] ?? .first, values)
            }
        }
    }
}
