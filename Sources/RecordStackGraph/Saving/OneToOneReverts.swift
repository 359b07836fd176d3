import RecordStackChanges
import RecordStackModel

/// A one-to-one relationship that takes the other side's value.
///
/// The changes that it had made to its partners are reverted with it.
struct DiscardedOneToOne {
    let key: Int64
    let reference: InverseTable.Reference
    /// The keys of our target and of theirs; 0 if there is none.
    let ours: Int64
    let theirs: Int64
}

/// The one-to-one relationships of a save or push that take the other side's values.
struct OneToOneReverts {
    let types: TypeTable
    private var discarded: [DiscardedOneToOne] = []

    init(types: TypeTable) {
        self.types = types
    }

    /// Records the one-to-one relationships of an object that take the other side's values.
    ///
    /// - Parameter values: the other side's values.
    mutating func note(
        _ edit: RowEdit, of row: RowKey, takenSlots: SlotSet, to values: [StoredValue]
    ) {
        if takenSlots.isEmpty { return }
        for reference in types.inverseTables[row.entity].references
        where reference.isOneToOne && takenSlots.contains(reference.slot) {
            let (mine, theirs) = (edit.values[reference.slot].key, values[reference.slot].key)
            if mine != theirs {
                discarded.append(
                    DiscardedOneToOne(
                        key: row.key, reference: reference, ours: mine, theirs: theirs))
            }
        }
    }

    /// Returns the changes without those that the recorded relationships made at their other ends.
    func reverting(_ entities: [EntityChanges], of model: ManagedObjectModel) -> [EntityChanges] {
        if discarded.isEmpty { return entities }
        var reverter = InverseReverter(entities, of: model)
        return reverter.reverting(discarded)
    }
}

extension StoredValue {
    /// The key of a to-one relationship; 0 if there is none.
    fileprivate var key: Int64 { if case .integer(let key) = self { key } else { 0 } }
}

/// Removes the changes that reverted one-to-one relationships had made to other objects.
struct InverseReverter {
    private let model: ManagedObjectModel
    private var entities: [EntityChanges]
    /// The locations of updates and insertions in `entities`, by hierarchy and key.
    private var locations: [Int: [Int64: Location]] = [:]
    private var dropped: [Int: [Int64: SlotSet]] = [:]

    private struct Location {
        let entityIndex: Int
        let row: Int
        let isInserted: Bool
    }

    init(_ entities: [EntityChanges], of model: ManagedObjectModel) {
        (self.entities, self.model) = (entities, model)
        for (entityIndex, changes) in entities.enumerated() {
            let hierarchy = model.modelEntities[changes.entity].hierarchy
            for (row, update) in changes.updates.enumerated() {
                locations[hierarchy, default: [:]][update.key] = Location(
                    entityIndex: entityIndex, row: row, isInserted: false)
            }
            for (row, key) in changes.insertedKeys.enumerated() {
                locations[hierarchy, default: [:]][key] = Location(
                    entityIndex: entityIndex, row: row, isInserted: true)
            }
        }
    }

    /// Returns the changes without those that the relationships had made at their other ends.
    mutating func reverting(_ discarded: [DiscardedOneToOne]) -> [EntityChanges] {
        for relationship in discarded { revert(relationship) }
        return entities.indices.map { index in
            dropped[index].map { entities[index].dropping($0) } ?? entities[index]
        }
    }

    private mutating func revert(_ discarded: DiscardedOneToOne) {
        let reference = discarded.reference
        guard case .toOne(let back) = reference.inverse else { return }
        let destination = model.modelEntities[reference.destination]
        let others = destination.hierarchy
        // Our partner refers to its former partner again.
        if discarded.ours != 0,
            let before = drop(back, of: discarded.ours, in: others, referringTo: discarded.key),
            before != 0,
            let own = destination.relationships.first(where: { $0.slot == back })
        {
            let hierarchy = model.modelEntities[own.destination].hierarchy
            _ = drop(
                reference.slot, of: before, in: hierarchy, referringTo: 0, from: discarded.ours)
        }
        // Their partner keeps its reference to the object.
        if discarded.theirs != 0 {
            _ = drop(back, of: discarded.theirs, in: others, referringTo: 0, from: discarded.key)
        }
    }

    /// Drops the change of a slot if a reverted relationship has made it.
    ///
    /// - Returns: the key that the slot had before, or nil if there is no such change.
    private mutating func drop(
        _ slot: Int, of key: Int64, in hierarchy: Int, referringTo new: Int64,
        from old: Int64? = nil
    ) -> Int64? {
        guard let location = locations[hierarchy]?[key] else { return nil }
        let changes = entities[location.entityIndex]
        let batch = location.isInserted ? changes.inserted : changes.updated
        guard location.isInserted || changes.updates[location.row].slots.contains(slot),
            batch.cell(row: location.row, slot: slot).integer == new
        else { return nil }
        let base =
            location.isInserted ? 0 : changes.bases.cell(row: location.row, slot: slot).integer
        if let old, old != base { return nil }
        dropped[location.entityIndex, default: [:]][key, default: SlotSet()].insert(slot)
        return base
    }
}

extension EntityChanges {
    /// Returns the changes without those of some slots, by key.
    ///
    /// The dropped slots are recorded as resolved, with their old values.
    fileprivate func dropping(_ slots: [Int64: SlotSet]) -> EntityChanges {
        var result = self
        result.updates = []
        result.updated = RowBatch(width: updated.width, capacity: updates.count)
        result.bases = RowBatch(width: updated.width, capacity: updates.count)
        for (row, update) in updates.enumerated() {
            var values = updated.values(row: row)
            let bases = bases.values(row: row)
            let reverted = slots[update.key] ?? SlotSet()
            reverted.forEach { values[$0] = bases[$0] }
            let left = update.slots.subtracting(reverted)
            if !left.isEmpty {
                let edit = RowEdit(
                    kind: .updated, version: update.version, slots: left, values: values,
                    base: bases)
                result.append(edit, of: update.key)
            }
            if reverted.isEmpty { continue }
            result.noteResolved(
                reverted, of: update.key,
                version: left.isEmpty ? update.version : update.version.next, values)
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
            if let reverted = slots[key] {
                noteResolved(
                    reverted, of: key, version: reinsertedVersions[key] ?? .first, values)
            }
        }
    }
}
