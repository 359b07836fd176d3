import CSQLite
package import RecordStackModel

extension SQLiteStore {
    package func problems() throws -> [StoreProblem] {
        try lendingReader { connection in
            do {
                let damage = try connection.damage() + connection.danglingReferences()
                return try damage + wrongValues(connection)
            } catch let failure as SQLiteFailure
                where [SQLITE_CORRUPT, SQLITE_NOTADB].contains(failure.primaryCode)
            {
                // The damage makes SQLite abandon the check.
                return [StoreProblem(.damage, failure.message)]
            }
        }
    }
}

extension SQLiteStore {
    /// Returns the values that another program has written and that no object can have.
    private func wrongValues(_ connection: SQLiteConnection) throws -> [StoreProblem] {
        let sink = WrongValues(model: tables.model, objectID: objectID)
        for table in tables.kept {
            do {
                try connection.rows(StoreRequest(entity: table.hierarchy.root), into: sink)
            } catch let error as RecordStackError where error.code == .corrupt {
                // A row of an unknown entity ends the reading of its table.
                sink.note(error)
            }
        }
        return try sink.problems + connection.wrongKeyCounts()
            + connection.wrongPositions(LinkSchema(tables: tables))
    }
}

extension SQLiteConnection {
    /// Returns the tables whose count of given-out keys is missing or not valid.
    fileprivate func wrongKeyCounts() throws -> [StoreProblem] {
        try tables.kept.compactMap { table in
            if let next = try metadata(Metadata.lease(table.name))?.integer, next > 0 { return nil }
            return StoreProblem(
                .wrongValue, "the count of keys that were given to rows of \(table.name) is missing"
            )
        }
    }

    /// Returns the tables with members whose position is not valid.
    fileprivate func wrongPositions(_ schema: LinkSchema) throws -> [StoreProblem] {
        var problems: [StoreProblem] = []
        for (table, column) in schema.positions {
            let count = try integer(
                "SELECT count(*) FROM \(SQLText.quoted(table)) WHERE typeof(\(column)) NOT IN (?, ?) "
                    + "OR \(column) NOT BETWEEN ? AND ?", .text("integer"), .text("null"),
                .integer(orderPositions.lowerBound), .integer(orderPositions.upperBound))
            guard let count, count > 0 else { continue }
            problems.append(
                StoreProblem(
                    .wrongValue, "\(count) rows of \(table) have no valid position in \(column)"))
        }
        return problems
    }

    fileprivate func damage() throws -> [StoreProblem] {
        let statement = try SQLiteStatement("PRAGMA integrity_check", on: self)
        defer { statement.reset() }
        var problems: [StoreProblem] = []
        while try statement.step() {
            let text = statement.storedValue(column: 0).text ?? ""
            if text != "ok" { problems.append(StoreProblem(.damage, text)) }
        }
        return problems
    }

    fileprivate func danglingReferences() throws -> [StoreProblem] {
        let statement = try SQLiteStatement("PRAGMA foreign_key_check", on: self)
        defer { statement.reset() }
        var problems: [StoreProblem] = []
        while problems.count < 100, try statement.step() {
            let table = statement.storedValue(column: 0).text ?? ""
            let parent = statement.storedValue(column: 2).text ?? ""
            problems.append(
                StoreProblem(
                    .danglingReference,
                    "row \(statement.integer(column: 1)) of \(table) refers to a row of \(parent) "
                        + "that is not there"))
        }
        return problems
    }
}
