package import RecordStackModel

extension ManagedObjectContext {
    /// Rows that are looked up together.
    private static let upsertBatch = 1_000

    /// Finds the object of each row by its values in some slots, or makes one, and has it filled in.
    ///
    /// - Parameters:
    ///   - slots: one, or two.
    ///   - key: a row's values for them; nil where one of them is null.
    ///   - fill: gives an object the values of its row, and is told whether it is new.
    package func upsert<Entity: ManagedObject, Row>(
        _ type: Entity.Type, _ rows: some Sequence<Row>, by slots: [Int],
        key: (Row) throws -> LookupKey?, _ fill: (Entity, Row, Bool) throws -> Void
    ) throws -> UpsertSummary {
        // Found out with the first new object, it would be in the middle.
        try requireConcrete(type)
        var summary = UpsertSummary()
        var lookup: ObjectLookup<Entity>?
        var batch: [(row: Row, key: LookupKey?)] = []
        func resolve() throws {
            let known = try lookup ?? ObjectLookup(of: type, in: self, slots: slots)
            try known.prepare(batch.compactMap(\.key))
            for (row, key) in batch {
                let object = try upsert(type, key, slots, known, &summary) {
                    try fill($0, row, $1)
                }
                known.keep(object)
            }
            batch.removeAll(keepingCapacity: true)
            lookup = known
        }
        for row in rows {
            batch.append((row, try key(row)))
            if batch.count == Self.upsertBatch { try resolve() }
        }
        if !batch.isEmpty { try resolve() }
        return summary
    }

    private func upsert<Entity: ManagedObject>(
        _ type: Entity.Type, _ key: LookupKey?, _ slots: [Int], _ known: ObjectLookup<Entity>,
        _ summary: inout UpsertSummary, _ fill: (Entity, Bool) throws -> Void
    ) throws -> Entity {
        if let key, let object = try known.object(for: key) {
            summary.matched += 1
            try fill(object, false)
            return object
        }
        let object = try create(type)
        if let key {
            let values = slots.enumerated().map { (slot: $1, value: key[$0]) }
            _ = try assign(values, to: object)
        }
        summary.inserted += 1
        try fill(object, true)
        return object
    }
}
