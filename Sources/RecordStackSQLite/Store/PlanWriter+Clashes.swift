import CSQLite
import RecordStackModel

/// Two objects with equal values that must be unique.
struct UniquenessClash {
    let values: [StoredValue]
    /// The object that has the values already.
    let holder: ManagedObjectID
    /// Whether the same save writes the holder.
    let isOfSameSave: Bool

    /// The values for a message.
    var list: String { values.map(\.excerpt).joined(separator: ", ") }
}

extension PlanWriter {
    /// Finds the object that has the unique values of the current row.
    ///
    /// This happens while the transaction is still open, because the same save may
    /// write that object.
    func noteClash(_ error: any Error) {
        guard let failure = error as? SQLiteFailure, failure.code == ResultCode.unique, let current
        else { return }
        clash = try? findClash(tables.slots(of: current.entity, in: failure), current)
    }

    private func findClash(
        _ slots: [Int], _ current: (entity: Int, key: Int64)
    ) throws -> UniquenessClash? {
        guard !slots.isEmpty, let row = plan.row(current.key, entity: current.entity) else {
            return nil
        }
        let table = tables.table(of: current.entity)
        let result = SystemColumn.key + (table.isPolymorphic ? ", \(SystemColumn.entity)" : "")
        let conditions = slots.map {
            "\(SQLText.quoted(tables.columnName(entity: current.entity, slot: $0))) = ? AND "
        }
        let statement = try SQLiteStatement(
            "SELECT \(result) FROM \(SQLText.quoted(table.name)) WHERE \(conditions.joined())"
                + "\(SystemColumn.key) <> ? LIMIT 1", on: connection)
        for (index, slot) in slots.enumerated() {
            try statement.bind(row[slot], at: Int32(index + 1))
        }
        try statement.bind(current.key, at: Int32(slots.count + 1))
        guard try statement.step() else { return nil }
        let key = statement.integer(column: 0)
        let name = table.isPolymorphic ? statement.storedValue(column: 1).text : nil
        let entity = name.flatMap(tables.model.index(ofEntityNamed:)) ?? current.entity
        return UniquenessClash(
            values: slots.map { row[$0] }, holder: store.objectID(entity: entity, key: key),
            isOfSameSave: plan.row(key, entity: entity) != nil)
    }
}

extension SavePlan {
    /// Returns the row of an object that the plan inserts or updates.
    fileprivate func row(_ key: Int64, entity: Int) -> [StoredValue]? {
        for changes in changes.entities where changes.entity == entity {
            if let row = changes.insertedKeys.firstIndex(of: key) {
                return changes.inserted.values(row: row)
            }
            if let row = changes.updates.firstIndex(where: { $0.key == key }) {
                return changes.updated.values(row: row)
            }
        }
        return nil
    }
}
