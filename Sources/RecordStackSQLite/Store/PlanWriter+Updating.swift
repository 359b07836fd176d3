import CSQLite
import RecordStackModel

extension PlanWriter {
    /// Updates rows. A run of updates with the same slots takes few statements.
    func update(_ changes: EntityChanges) throws -> Bool {
        var row = 0
        while row < changes.updates.count {
            let run = Self.run(of: changes.updates, from: row)
            guard try update(changes, run) else { return false }
            row = run.upperBound
        }
        return true
    }

    /// Returns the updates from an index on that change the same slots.
    private static func run(of updates: EntityChanges.UpdateList, from start: Int) -> Range<Int> {
        var end = start + 1
        while end < updates.count && updates[end].slots == updates[start].slots { end += 1 }
        return start..<end
    }

    private func update(_ changes: EntityChanges, _ run: Range<Int>) throws -> Bool {
        let slots = changes.updates[run.lowerBound].slots
        let most = Self.mostUpdates(of: slots.count)
        var row = run.lowerBound
        // A long statement takes as much time to compile as it saves in a few hundred rows.
        if run.count >= Self.worthwhileUpdates {
            let statement = try updateStatement(changes.entity, slots, rows: most)
            while run.upperBound - row >= most {
                guard try update(changes, row..<(row + most), with: statement) else { return false }
                row += most
            }
        }
        if row == run.upperBound { return true }
        return try updateEach(changes, row..<run.upperBound, slots)
    }

    static let worthwhileUpdates = 256

    /// The largest number of rows for one statement. Measured: more than 128 rows gain nothing.
    static func mostUpdates(of slots: Int) -> Int { max(2, min(128, 512 / (slots + 2))) }

    private func updateEach(
        _ changes: EntityChanges, _ rows: Range<Int>, _ slots: SlotSet
    ) throws -> Bool {
        let statement = try updateStatement(changes.entity, slots)
        for row in rows {
            let update = changes.updates[row]
            current = (changes.entity, update.key)
            let cells = changes.updated.cells(ofRow: row)
            var index: Int32 = 1
            try slots.forEach { slot in
                try statement.bind(cells[slot], at: index)
                index += 1
            }
            try statement.bind(update.key, at: index)
            try statement.bind(update.version.column, at: index + 1)
            try statement.run()
            guard hasChangedOne else { return false }
        }
        return true
    }

    /// Updates several rows with one statement.
    ///
    /// If the statement fails, it has changed nothing. The rows are then updated one by one, which
    /// shows the row that fails.
    private func update(
        _ changes: EntityChanges, _ rows: Range<Int>, with statement: SQLiteStatement
    ) throws -> Bool {
        try bind(changes, rows, to: statement)
        do {
            try statement.run()
        } catch let failure as SQLiteFailure where failure.primaryCode == SQLITE_CONSTRAINT {
            return try updateEach(changes, rows, changes.updates[rows.lowerBound].slots)
        } catch {
            current = (changes.entity, largest(of: rows, in: changes))
            throw error
        }
        return sqlite3_changes64(connection.handle) == rows.count
    }

    private func bind(
        _ changes: EntityChanges, _ rows: Range<Int>, to statement: SQLiteStatement
    ) throws {
        var index: Int32 = 1
        for row in rows {
            let update = changes.updates[row]
            current = (changes.entity, update.key)
            try statement.bind(update.key, at: index)
            try statement.bind(update.version.column, at: index + 1)
            index += 2
            let cells = changes.updated.cells(ofRow: row)
            try update.slots.forEach { slot in
                try statement.bind(cells[slot], at: index)
                index += 1
            }
        }
    }

    /// Returns the key of the row with the longest values, which is the one that may be too large.
    private func largest(of rows: Range<Int>, in changes: EntityChanges) -> Int64 {
        var (key, length) = (changes.updates[rows.lowerBound].key, -1)
        for row in rows {
            let cells = changes.updated.cells(ofRow: row)
            let own = (0..<changes.updated.width).reduce(0) { $0 + Int(cells[$1].length) }
            if own > length { (key, length) = (changes.updates[row].key, own) }
        }
        return key
    }

    private func updateStatement(_ entity: Int, _ slots: SlotSet) throws -> SQLiteStatement {
        try connection.statement(.update(entity: entity, slots: slots)) {
            updateText(entity, slots) { _ in "?" } + " WHERE \(Self.rowCondition)"
        }
    }

    /// Returns a statement that updates from a table of keys, versions and values.
    ///
    /// The alias `_rows` is unambiguous, because no name of the model begins with an underscore.
    private func updateStatement(
        _ entity: Int, _ slots: SlotSet, rows: Int
    ) throws -> SQLiteStatement {
        try connection.statement(.updates(entity: entity, slots: slots, rows: rows)) {
            let row = SQLText.placeholders(slots.count + 2)
            let list = SQLText.list([String](repeating: row, count: rows), by: ",")
            let (key, version) = (SystemColumn.key, SystemColumn.version)
            // The unary plus keeps SQLite from building an index of the values, and thus from
            // scanning the whole table.
            return updateText(entity, slots) { index in "_rows.column\(index + 3)" }
                + " FROM (VALUES \(list)) AS _rows WHERE \(SQLText.quoted(key)) = +_rows.column1"
                + " AND \(SQLText.quoted(version)) = _rows.column2"
        }
    }

    /// Returns the start of an update.
    ///
    /// - Parameter value: returns the SQL of a slot's new value, by the slot's index among
    ///   the changed ones.
    private func updateText(
        _ entity: Int, _ slots: SlotSet, _ value: (_ index: Int) -> String
    ) -> String {
        let version = SQLText.quoted(SystemColumn.version)
        let sets = slots.slots.enumerated().map { index, slot in
            SQLText.quoted(tables.columnName(entity: entity, slot: slot)) + "=" + value(index)
        }
        return "UPDATE \(SQLText.quoted(tables.table(of: entity).name)) SET "
            + SQLText.list(sets + ["\(version)=\(version)+1"], by: ",")
    }
}
