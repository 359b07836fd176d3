import RecordStackChanges
import RecordStackModel

/// The changes of one context of a chain.
///
/// The save may write other values, because a context further down may have replaced some of them.
struct LayerSnapshot: Sendable {
    private struct Row {
        let slots: SlotSet
        let values: [StoredValue]
    }

    private let rows: [RowKey: Row]

    /// Keeps the changes of those objects about which a merge policy has decided.
    init(changes: ChangeSet, resolvedIn result: ChangeSet) {
        var keys: [Int: Set<Int64>] = [:]
        for entity in result.entities {
            keys[entity.entity] = Set(entity.resolvedRows.map(\.key) + entity.alreadyDeletedKeys)
        }
        self.init(changes: changes) { keys[$0]?.contains($1) == true }
    }

    init(changes: ChangeSet, keeping isKept: (Int, Int64) -> Bool = { _, _ in true }) {
        var rows: [RowKey: Row] = [:]
        for entity in changes.entities {
            let all = SlotSet(all: entity.inserted.width)
            for (row, key) in entity.insertedKeys.enumerated() where isKept(entity.entity, key) {
                rows[RowKey(entity: entity.entity, key: key)] = Row(
                    slots: all, values: entity.inserted.values(row: row))
            }
            for (row, update) in entity.updates.enumerated()
            where isKept(entity.entity, update.key) {
                rows[RowKey(entity: entity.entity, key: update.key)] = Row(
                    slots: update.slots, values: entity.updated.values(row: row))
            }
        }
        self.rows = rows
    }

    /// Whether the context has changed no object.
    var isEmpty: Bool { rows.isEmpty }

    /// Whether the context has changed an object.
    func hasChanged(entity: Int, key: Int64) -> Bool {
        rows[RowKey(entity: entity, key: key)] != nil
    }

    /// Returns the context's value of a slot; nil if the context has not changed the slot.
    func value(entity: Int, key: Int64, slot: Int) -> StoredValue? {
        guard let row = rows[RowKey(entity: entity, key: key)], row.slots.contains(slot) else {
            return nil
        }
        return row.values[slot]
    }
}
