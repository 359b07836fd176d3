import RecordStackModel

/// What one context of a chain changed, when its values may have given way to those of a context
/// below.
struct CapturedLevel: Sendable {
    private struct Place: Hashable {
        let entity: Int
        let key: Int64
    }

    private struct Row {
        let slots: SlotSet
        let values: [StoredValue]
    }

    private let rows: [Place: Row]

    init(changes: ChangeSet) {
        var rows: [Place: Row] = [:]
        for entity in changes.entities {
            let all = SlotSet(all: entity.inserted.width)
            for (row, key) in entity.insertedKeys.enumerated() {
                rows[Place(entity: entity.entity, key: key)] = Row(
                    slots: all, values: entity.inserted.values(row: row))
            }
            for (row, update) in entity.updates.enumerated() {
                rows[Place(entity: entity.entity, key: update.key)] = Row(
                    slots: update.slots, values: entity.updated.values(row: row))
            }
        }
        self.rows = rows
    }

    /// The value that the context had, where it changed the slot.
    func value(entity: Int, key: Int64, slot: Int) -> StoredValue? {
        guard let row = rows[Place(entity: entity, key: key)], row.slots.contains(slot) else {
            return nil
        }
        return row.values[slot]
    }
}
