import CSQLite
import RecordStackModel

/// Runs the steps of a save's plan in an open transaction.
final class PlanWriter {
    let plan: SavePlan
    let connection: SQLiteConnection
    let store: SQLiteStore
    var tables: TableMap { store.tables }
    /// What is being written, for the error that names it.
    var current: (entity: Int, key: Int64)?

    init(plan: SavePlan, connection: SQLiteConnection, store: SQLiteStore) {
        self.plan = plan
        self.connection = connection
        self.store = store
    }

    /// - Returns: the rows that are not as the plan expects them; then nothing may be committed.
    func write() throws -> [StaleRow] {
        var stale: [StaleRow] = []
        for step in plan.steps {
            switch step {
            case .delete(let changes): try delete(changes, &stale)
            case .park(let changes, let slot, let updates): try park(changes, slot, updates)
            case .update(let changes): try update(changes, &stale)
            case .insert(let changes):
                // A row that is stale fails the save anyway, and its unique values may be the
                // reason why an insertion would fail with a less telling error.
                if stale.isEmpty { try insert(changes) }
            }
        }
        return stale
    }

    private func delete(_ changes: EntityChanges, _ stale: inout [StaleRow]) throws {
        let table = tables.table(of: changes.entity)
        let statement = try connection.statement(.delete(table: table.hierarchy.index)) {
            "DELETE FROM \(SQLText.quoted(table.name)) WHERE \(Self.rowCondition)"
        }
        for deletion in changes.deletions {
            current = (changes.entity, deletion.key)
            try statement.bind(deletion.key, at: 1)
            try statement.bind(deletion.version, at: 2)
            try statement.run()
            try expectOneChange(changes.entity, deletion.key, &stale)
        }
    }

    private static let rowCondition =
        "\(SQLText.quoted(SystemColumn.key)) = ? AND \(SQLText.quoted(SystemColumn.version)) = ?"

    private func expectOneChange(
        _ entity: Int, _ key: Int64, _ stale: inout [StaleRow]
    ) throws {
        if sqlite3_changes64(connection.handle) == 1 { return }
        stale.append(StaleRow(entity: entity, key: key, current: try currentRow(entity, key)))
    }

    private func currentRow(
        _ entity: Int, _ key: Int64
    ) throws -> (version: Int64, values: RowBatch)? {
        let sink = CopyingSink()
        try connection.rows(.keys([key], entity: entity), into: sink)
        return sink.row
    }

    private func park(_ changes: EntityChanges, _ slot: Int, _ updates: [Int]) throws {
        let table = tables.table(of: changes.entity)
        let statement = try connection.statement(.park(entity: changes.entity, slot: slot)) {
            let column = tables.columnName(entity: changes.entity, slot: slot)
            return "UPDATE \(SQLText.quoted(table.name)) SET \(SQLText.quoted(column)) = ? "
                + "WHERE \(Self.rowCondition)"
        }
        let slots = tables.model.modelEntities[changes.entity].description.slots
        for index in updates {
            let update = changes.updates[index]
            current = (changes.entity, update.key)
            // Text where the column has bytes, and bytes where it has something else: no row of ours
            // ever has them, and the key makes them differ from one another.
            let parking = "parked \(slot) \(update.key)"
            let isBytes = slots[slot].type.storage == .blob
            try statement.bind(isBytes ? .text(parking) : .blob(Array(parking.utf8)), at: 1)
            try statement.bind(update.key, at: 2)
            try statement.bind(update.version, at: 3)
            try statement.run()
        }
    }

    private func update(_ changes: EntityChanges, _ stale: inout [StaleRow]) throws {
        for (index, update) in changes.updates.enumerated() {
            current = (changes.entity, update.key)
            let statement = try updateStatement(changes.entity, update.slots)
            let row = changes.updated.cells(ofRow: index)
            var place: Int32 = 1
            try update.slots.forEach { slot in
                try statement.bind(row[slot], at: place)
                place += 1
            }
            try statement.bind(update.key, at: place)
            try statement.bind(update.version, at: place + 1)
            try statement.run()
            try expectOneChange(changes.entity, update.key, &stale)
        }
    }

    private func updateStatement(_ entity: Int, _ slots: SlotSet) throws -> SQLiteStatement {
        try connection.statement(.update(entity: entity, slots: slots)) {
            let version = SQLText.quoted(SystemColumn.version)
            let sets = slots.slots.map {
                SQLText.quoted(tables.columnName(entity: entity, slot: $0)) + "=?"
            }
            return "UPDATE \(SQLText.quoted(tables.table(of: entity).name)) SET "
                + (sets + ["\(version)=\(version)+1"]).joined(separator: ",")
                + " WHERE \(Self.rowCondition)"
        }
    }
}

/// Keeps a copy of the one row of a request.
private final class CopyingSink: RowSink {
    var row: (version: Int64, values: RowBatch)?

    func row(_ cells: borrowing RowCells, key: Int64, version: Int64, entity: Int) throws {
        row = (version, RowBatch(copying: cells))
    }
}
