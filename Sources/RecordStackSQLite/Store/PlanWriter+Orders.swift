import RecordStackModel

// The old positions of members, read before they are written. Plans without changes of
// order run no query.
extension PlanWriter {
    func readOldPositions() throws -> OldPositions {
        var positions = OldPositions()
        for joinTable in tables.model.joinTables
        where joinTable.first.isOrdered || joinTable.second.isOrdered {
            let changes = plan.changes.links.first { $0.joinTable == joinTable.index }
            switch joinTable.storage {
            case .table:
                guard let changes else { continue }
                let joinRows = joinRowsToRead(of: changes)
                if joinRows.isEmpty { continue }
                let list = joinRows.map { "[\($0.first),\($0.second)]" }.joined(separator: ",")
                try read(joinTable, "[\(list)]", into: &positions)
            case .column(let slot):
                var keys = Set(changes?.moved.map(\.joinRow.second) ?? [])
                keys.formUnion(keysWithNewOwner(by: slot, of: joinTable.second.entity))
                if keys.isEmpty { continue }
                try read(joinTable, RequestBinder.json(keys.sorted()), into: &positions)
            }
        }
        return positions
    }

    private func joinRowsToRead(of changes: LinkChanges) -> [JoinRow] {
        // An added join row has no old positions, unless the store may have had it before.
        changes.removed + changes.moved.map(\.joinRow)
            + changes.added.lazy.map(\.joinRow).filter(changes.uncertain.contains)
    }

    /// Returns the keys of the rows to which the plan gives another owner.
    private func keysWithNewOwner(by slot: Int, of entity: Int) -> [Int64] {
        let kinds = tables.model.modelEntities[entity].kinds
        return plan.changes.entities.filter { kinds.contains($0.entity) }.flatMap { changes in
            changes.updates.filter { $0.slots.contains(slot) }.map(\.key)
        }
    }

    private func read(
        _ joinTable: JoinTable, _ list: String, into positions: inout OldPositions
    ) throws {
        let statement = try connection.statement(.oldPositions(joinTable.index)) {
            LinkSchema(tables: tables).oldPositions(of: joinTable)
        }
        try statement.bind(.text(list), at: 1)
        if joinTable.hasOwnTable {
            try statement.bind(.text("$[0]"), at: 2)
            try statement.bind(.text("$[1]"), at: 3)
        }
        defer { statement.reset() }
        while try statement.step() {
            let joinRow = JoinRow(
                first: statement.integer(column: 0), second: statement.integer(column: 1))
            positions.add(
                statement.row(of: joinRow, in: joinTable, firstPosition: 2),
                joinTable: joinTable.index)
        }
    }
}
