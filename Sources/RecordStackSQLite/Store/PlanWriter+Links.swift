import RecordStackModel

extension PlanWriter {
    private var schema: LinkSchema { LinkSchema(tables: tables) }

    func unlink(_ changes: LinkChanges) throws {
        let linkage = tables.model.linkages[changes.linkage]
        let statement = try connection.statement(.unlink(linkage.index)) { schema.delete(linkage) }
        for pair in changes.removed {
            note(pair, linkage)
            try statement.bind(pair.first, at: 1)
            try statement.bind(pair.second, at: 2)
            try statement.run()
            // One that is gone already was removed by somebody else.
            if !hasChangedOne, try isThere(pair, linkage) { throw ignored() }
        }
    }

    /// Whether a pair is in the store, asked where a statement has changed nothing.
    private func isThere(_ pair: LinkPair, _ linkage: Linkage) throws -> Bool {
        try connection.hasLink(pair, in: linkage.index)
    }

    func link(_ changes: LinkChanges) throws {
        let linkage = tables.model.linkages[changes.linkage]
        if !changes.added.isEmpty {
            let statement = try connection.statement(.link(linkage.index)) {
                schema.insert(linkage)
            }
            for row in changes.added {
                note(row.pair, linkage)
                try statement.bind(row.pair.first, at: 1)
                try statement.bind(row.pair.second, at: 2)
                _ = try bindPlaces(of: row, linkage, to: statement, at: 3)
                try statement.run()
                // One that is there already was added by somebody else.
                if !hasChangedOne, try !isThere(row.pair, linkage) { throw ignored() }
            }
        }
        if changes.moved.isEmpty { return }
        let statement = try connection.statement(.move(linkage.index)) { schema.move(linkage) }
        for row in changes.moved {
            note(row.pair, linkage)
            let next = try bindPlaces(of: row, linkage, to: statement, at: 1)
            try statement.bind(row.pair.first, at: next)
            try statement.bind(row.pair.second, at: next + 1)
            try statement.run()
            if !hasChangedOne, try isThere(row.pair, linkage) { throw ignored() }
        }
    }

    /// For the error that says what was being written: the object that declares the relationship.
    private func note(_ pair: LinkPair, _ linkage: Linkage) {
        current = (linkage.first.entity, pair.first)
    }

    private func bindPlaces(
        of row: LinkChanges.Row, _ linkage: Linkage, to statement: SQLiteStatement, at place: Int32
    ) throws -> Int32 {
        var next = place
        for end in [LinkEnd.first, .second] where linkage.end(end).isOrdered {
            try statement.bind(row.position(end).map(StoredValue.integer) ?? .null, at: next)
            next += 1
        }
        return next
    }
}
