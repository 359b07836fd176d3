import CSQLite
import RecordStackModel

extension SQLiteConnection {
    func first(entity: Int, slot: Int, value: StoredValue, into sink: any RowSink) throws {
        _ = try first(entity, slot, value, sink) { true }
    }

    func first(
        entity: Int, slot: Int, value: StoredValue, at position: StorePosition,
        into sink: any RowSink
    ) throws -> Bool {
        guard !reading.isInBurst, reading.holder == nil, sqlite3_get_autocommit(handle) != 0,
            let known = reading.knownPosition, known.position == position
        else { return false }
        // SQLite updates the number when a transaction begins.
        return try first(entity, slot, value, sink) { dataVersion == known.version }
    }

    /// Looks up one row.
    ///
    /// - Parameter mayDeliver: called when the statement has begun; returns false to
    ///   deliver no row.
    private func first(
        _ entity: Int, _ slot: Int, _ value: StoredValue, _ sink: any RowSink,
        if mayDeliver: () -> Bool
    ) throws -> Bool {
        try reporting {
            let statement = try lookUp(entity: entity, slot: slot)
            defer { statement.reset() }
            try statement.bind(value, at: 1)
            let hasRow = try statement.step()
            if !mayDeliver() { return false }
            try sink.didBegin()
            if !hasRow { return true }
            let filler = statement.filler(entity: entity)
            if let plain = filler.plain {
                try plain.deliverOne(to: sink)
            } else {
                try filler.deliverOne(to: sink)
            }
            return true
        }
    }

    private func lookUp(entity: Int, slot: Int) throws -> SQLiteStatement {
        if let known = cache.lookUps[entity][slot + 1] { return known }
        let made = try SQLiteStatement(
            lookUpText(entity: entity, slot: slot), on: self, isPersistent: true)
        // These values stay bound: the looked-up value is the first parameter, and the
        // entities follow it.
        for (index, kind) in (tables.wantedKinds(of: StoreRequest(entity: entity)) ?? [])
            .enumerated()
        {
            let name = tables.model.modelEntities[kind].name
            try made.bind(.text(name), at: Int32(index + 2))
        }
        cache.lookUps[entity][slot + 1] = made
        return made
    }

    private func lookUpText(entity: Int, slot: Int) throws -> String {
        let path = FilterPath(slot: slot)
        // The value is not part of the text, so any value will do.
        var compiler = RequestCompiler(
            request: StoreRequest(entity: entity, filter: .compare(path, .equal, .integer(0))),
            on: self)
        let text = try compiler.rows()
        let description = tables.model.modelEntities[entity].description
        let isUnique = slot == FilterPath.keySlot || description.slots[slot].isUnique
        return isUnique ? text : text + " LIMIT 1"
    }
}
