import CSQLite
import RecordStackModel

extension PlanWriter {
    /// Inserts rows, several with one statement.
    ///
    /// With `OR FAIL`, SQLite opens no statement journal, which would cost more than it saves. On
    /// failure, the whole save is rolled back anyway.
    func insert(_ changes: EntityChanges) throws {
        var row = 0
        let count = changes.insertedKeys.count
        let most = Self.mostRows(width: changes.inserted.width)
        while row < count {
            let rows = count - row >= most ? most : 1
            let statement = try insertStatement(changes.entity, rows: rows)
            current = (changes.entity, changes.insertedKeys[row])
            try bind(changes, row..<(row + rows), to: statement)
            do {
                try statement.run()
            } catch {
                // `OR FAIL` keeps the rows before the one that failed, and counts them.
                let done = Int(sqlite3_changes64(connection.handle))
                current = (changes.entity, changes.insertedKeys[row + min(done, rows - 1)])
                throw error
            }
            if sqlite3_changes64(connection.handle) != rows {
                try nameMissing(changes, row..<(row + rows))
                throw ignored()
            }
            row += rows
        }
    }

    /// Finds the first row that was not inserted.
    private func nameMissing(_ changes: EntityChanges, _ rows: Range<Int>) throws {
        let table = SQLText.quoted(tables.table(of: changes.entity).name)
        for row in rows {
            let key = changes.insertedKeys[row]
            let count = try connection.integer(
                "SELECT count(*) FROM \(table) WHERE \(SQLText.quoted(SystemColumn.key)) = ?",
                .integer(key))
            if count == 0 { return current = (changes.entity, key) }
        }
    }

    /// The largest number of rows for one statement.
    ///
    /// Measured: 32 rows are as fast as more, and some 500 parameters compile quickly.
    static func mostRows(width: Int) -> Int { max(1, min(32, 512 / (width + 2))) }

    private func bind(
        _ changes: EntityChanges, _ rows: Range<Int>, to statement: SQLiteStatement
    ) throws {
        let width = Int32(changes.inserted.width)
        let isPolymorphic = tables.table(of: changes.entity).isPolymorphic
        let name = tables.model.modelEntities[changes.entity].name
        let handle = statement.handle
        var index: Int32 = 1
        for row in rows {
            try statement.bind(changes.insertedKeys[row], at: index)
            index += 1
            if isPolymorphic {
                try statement.bind(.text(name), at: index)
                index += 1
            }
            let cells = changes.inserted.cells(ofRow: row)
            for slot in 0..<width {
                let code = cells[Int(slot)].bind(to: handle, at: index + slot)
                if code != SQLITE_OK {
                    current = (changes.entity, changes.insertedKeys[row])
                    try statement.check(code)
                }
            }
            if let log = statement.log {
                for slot in 0..<width {
                    log.bind(SQLLiteral.of(cells[Int(slot)]), at: index + slot)
                }
            }
            index += width
        }
    }

    /// Sets the versions of re-inserted rows.
    ///
    /// They must differ from the versions of the deleted rows, which other contexts may have read.
    func setVersions(_ changes: EntityChanges) throws {
        let table = SQLText.quoted(tables.table(of: changes.entity).name)
        let statement = try connection.cached(
            "UPDATE \(table) SET \(SQLText.quoted(SystemColumn.version))=? "
                + "WHERE \(SQLText.quoted(SystemColumn.key))=?")
        for (key, version) in changes.reinsertedVersions {
            current = (changes.entity, key)
            try statement.bind(version.column, at: 1)
            try statement.bind(key, at: 2)
            try statement.run()
            if !hasChangedOne { throw ignored() }
        }
    }

    private func insertStatement(_ entity: Int, rows: Int) throws -> SQLiteStatement {
        try connection.statement(.insert(entity: entity, rows: rows)) {
            let table = tables.table(of: entity)
            var columns = [SystemColumn.version, SystemColumn.key]
            if table.isPolymorphic { columns.append(SystemColumn.entity) }
            columns += tables.columnsOfSlots[entity].map { table.columns[$0].name }
            let parameters = repeatElement("?", count: columns.count - 1).joined(separator: ",")
            let row = "(\(RowVersion.first.column),\(parameters))"
            return "INSERT OR FAIL INTO \(SQLText.quoted(table.name)) ("
                + columns.map(SQLText.quoted).joined(separator: ",") + ") VALUES "
                + repeatElement(row, count: rows).joined(separator: ",")
        }
    }
}
