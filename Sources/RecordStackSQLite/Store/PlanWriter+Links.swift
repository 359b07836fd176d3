import RecordStackModel

extension PlanWriter {
    private var schema: LinkSchema { LinkSchema(tables: tables) }

    func unlink(_ changes: LinkChanges) throws {
        let joinTable = tables.model.joinTables[changes.joinTable]
        let statement = try connection.statement(.unlink(joinTable.index)) {
            schema.delete(joinTable)
        }
        for joinRow in changes.removed {
            note(joinRow, joinTable)
            try statement.bind(joinRow.first, at: 1)
            try statement.bind(joinRow.second, at: 2)
            try statement.run()
            // If the join row is missing, another save has removed it.
            if !hasChangedOne, try isThere(joinRow, joinTable) { throw ignored() }
        }
    }

    /// Returns true if a join row is in the store. Called if a statement has changed nothing.
    private func isThere(_ joinRow: JoinRow, _ joinTable: JoinTable) throws -> Bool {
        try connection.hasLink(joinRow, in: joinTable.index)
    }

    func link(_ changes: LinkChanges) throws {
        let joinTable = tables.model.joinTables[changes.joinTable]
        if !changes.added.isEmpty {
            let statement = try connection.statement(.link(joinTable.index)) {
                schema.insert(joinTable)
            }
            for row in changes.added {
                note(row.joinRow, joinTable)
                try statement.bind(row.joinRow.first, at: 1)
                try statement.bind(row.joinRow.second, at: 2)
                _ = try bindPositions(of: row, joinTable, to: statement, at: 3)
                try statement.run()
                // If the join row exists, another save has added it.
                if !hasChangedOne, try !isThere(row.joinRow, joinTable) { throw ignored() }
            }
        }
        if changes.moved.isEmpty { return }
        let statement = try connection.statement(.move(joinTable.index)) { schema.move(joinTable) }
        for row in changes.moved {
            note(row.joinRow, joinTable)
            let next = try bindPositions(of: row, joinTable, to: statement, at: 1)
            try statement.bind(row.joinRow.first, at: next)
            try statement.bind(row.joinRow.second, at: next + 1)
            try statement.run()
            if !hasChangedOne, try isThere(row.joinRow, joinTable) { throw ignored() }
        }
    }

    /// Records the object that declares the relationship, for the error about the current write.
    private func note(_ joinRow: JoinRow, _ joinTable: JoinTable) {
        current = (joinTable.first.entity, joinRow.first)
    }

    private func bindPositions(
        of row: LinkChanges.Row, _ joinTable: JoinTable, to statement: SQLiteStatement,
        at index: Int32
    ) throws -> Int32 {
        var next = index
        for end in [LinkEnd.first, .second] where joinTable.end(end).isOrdered {
            try statement.bind(row.position(end).map(StoredValue.integer) ?? .null, at: next)
            next += 1
        }
        return next
    }
}
