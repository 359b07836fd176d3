import CSQLite
import RecordStackModel

/// Runs the steps of a save plan in an open transaction.
final class PlanWriter {
    let plan: SavePlan
    let connection: SQLiteConnection
    let store: SQLiteStore
    var tables: TableMap { store.tables }
    /// The object that is being written, for the error that names it.
    var current: (entity: Int, key: Int64)?
    /// True if another stack has leased a later incarnation since this save leased its own.
    private(set) var isOvertaken = false
    /// The old positions of the members that the plan moves or removes.
    private(set) var oldPositions = OldPositions()
    /// The object with the values that the current row cannot have.
    var clash: UniquenessClash?

    init(plan: SavePlan, connection: SQLiteConnection, store: SQLiteStore) {
        self.plan = plan
        self.connection = connection
        self.store = store
    }

    /// Runs the plan.
    ///
    /// - Returns: true if all rows were as the plan expects. Otherwise the remaining steps were
    ///   skipped, and the transaction must be rolled back.
    func write() throws -> Bool {
        try checkIncarnations()
        if isOvertaken { return false }
        oldPositions = try readOldPositions()
        for step in plan.steps {
            switch step {
            case .delete(let changes): guard try delete(changes) else { return false }
            case .setPlaceholders(let changes, let slot, let updates):
                guard try setPlaceholders(changes, slot, updates) else { return false }
            case .update(let changes): guard try update(changes) else { return false }
            case .insert(let changes):
                try insert(changes)
                if !changes.reinsertedVersions.isEmpty { try setVersions(changes) }
            case .unlink(let changes): try unlink(changes)
            case .link(let changes): try link(changes)
            }
        }
        return true
    }

    /// Checks for a later incarnation, which makes the plan stale.
    ///
    /// Rows must be committed in the order of their incarnations.
    private func checkIncarnations() throws {
        var latest = RowVersion.noRow
        let entities = plan.changes.entities
        for index in entities.indices where !entities[index].reinsertedVersions.isEmpty {
            latest = max(latest, entities[index].reinsertedVersions.values.max() ?? .noRow)
        }
        if latest == .noRow { return }
        isOvertaken = latest.incarnation < (try connection.lastIncarnation())
    }

    /// Returns the rows that are not as the plan expects, after the transaction was rolled back.
    func staleRows() throws -> [StaleRow] {
        try plan.changes.entities.flatMap { changes in
            let expected =
                changes.deletions.map { ($0.key, $0.version) }
                + changes.updates.map { ($0.key, $0.version) }
            let stale = try expected.compactMap { key, version in
                let current = try currentRow(changes.entity, key)
                return current?.version == version
                    ? nil : StaleRow(entity: changes.entity, key: key, current: current)
            }
            // A row to re-insert is stale if another save has inserted it already.
            return try stale
                + changes.reinsertedVersions.keys.sorted().compactMap { key in
                    try currentRow(changes.entity, key).map {
                        StaleRow(entity: changes.entity, key: key, current: $0)
                    }
                }
        }
    }

    static let rowCondition =
        "\(SQLText.quoted(SystemColumn.key)) = ? AND \(SQLText.quoted(SystemColumn.version)) = ?"

    var hasChangedOne: Bool { sqlite3_changes64(connection.handle) == 1 }

    private func currentRow(
        _ entity: Int, _ key: Int64
    ) throws -> (version: RowVersion, values: RowBatch)? {
        let sink = CopyingSink()
        try connection.rows(.keys([key], entity: entity), into: sink)
        // A save that expects this version would be repeated endlessly.
        if let row = sink.row, !row.version.isValid {
            throw RecordStackError.wrongVersion(of: store.objectID(entity: entity, key: key))
        }
        return sink.row
    }

    private func setPlaceholders(
        _ changes: EntityChanges, _ slot: Int, _ updates: [Int]
    ) throws -> Bool {
        let table = tables.table(of: changes.entity)
        let statement = try connection.statement(
            .setPlaceholders(entity: changes.entity, slot: slot)
        ) {
            let column = tables.columnName(entity: changes.entity, slot: slot)
            return "UPDATE \(SQLText.quoted(table.name)) SET \(SQLText.quoted(column)) = ? "
                + "WHERE \(Self.rowCondition)"
        }
        let slots = tables.model.modelEntities[changes.entity].description.slots
        for index in updates {
            let update = changes.updates[index]
            current = (changes.entity, update.key)
            // The placeholder is text in a column of bytes, and bytes in any other column. No row
            // of a store has such a value, and the key makes the placeholders differ.
            let placeholder = "parked \(slot) \(update.key)"
            let isBytes = slots[slot].type.storage == .blob
            try statement.bind(isBytes ? .text(placeholder) : .blob(Array(placeholder.utf8)), at: 1)
            try statement.bind(update.key, at: 2)
            try statement.bind(update.version.column, at: 3)
            try statement.run()
            guard hasChangedOne else { return false }
        }
        return true
    }
}

/// Keeps a copy of the only row of a request.
private final class CopyingSink: RowSink {
    var row: (version: RowVersion, values: RowBatch)?

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {
        row = (version, RowBatch(copying: cells))
    }
}
