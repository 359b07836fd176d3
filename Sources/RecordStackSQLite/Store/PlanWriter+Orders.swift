import RecordStackModel

// Where the members of orders stood, asked before they are written. Plans that touch no orders ask nothing.
extension PlanWriter {
    func readOldPlaces() throws -> OldPlaces {
        var places = OldPlaces()
        for linkage in tables.model.linkages
        where linkage.first.isOrdered || linkage.second.isOrdered {
            let changes = plan.changes.links.first { $0.linkage == linkage.index }
            switch linkage.storage {
            case .table:
                guard let changes else { continue }
                let pairs = pairsToRead(of: changes)
                if pairs.isEmpty { continue }
                let list = pairs.map { "[\($0.first),\($0.second)]" }.joined(separator: ",")
                try read(linkage, "[\(list)]", into: &places)
            case .column(let slot):
                var keys = Set(changes?.moved.map(\.pair.second) ?? [])
                keys.formUnion(keysLed(by: slot, of: linkage.second.entity))
                if keys.isEmpty { continue }
                try read(linkage, RequestBinder.json(keys.sorted()), into: &places)
            }
        }
        return places
    }

    private func pairsToRead(of changes: LinkChanges) -> [LinkPair] {
        // A pair that is added was not there, as a rule.
        changes.removed + changes.moved.map(\.pair)
            + changes.added.lazy.map(\.pair).filter(changes.uncertain.contains)
    }

    /// The keys of the rows that the plan leads to another owner.
    private func keysLed(by slot: Int, of entity: Int) -> [Int64] {
        let kinds = tables.model.modelEntities[entity].kinds
        return plan.changes.entities.filter { kinds.contains($0.entity) }.flatMap { changes in
            changes.updates.filter { $0.slots.contains(slot) }.map(\.key)
        }
    }

    private func read(_ linkage: Linkage, _ list: String, into places: inout OldPlaces) throws {
        let statement = try connection.statement(.oldPlaces(linkage.index)) {
            LinkSchema(tables: tables).oldPlaces(of: linkage)
        }
        try statement.bind(.text(list), at: 1)
        if linkage.isTable {
            try statement.bind(.text("$[0]"), at: 2)
            try statement.bind(.text("$[1]"), at: 3)
        }
        defer { statement.reset() }
        while try statement.step() {
            let pair = LinkPair(
                first: statement.integer(column: 0), second: statement.integer(column: 1))
            places.add(
                statement.row(of: pair, in: linkage, firstPosition: 2), linkage: linkage.index)
        }
    }
}
