package import RecordStackModel

extension ManagedObjectContext {
    /// The number of rows that are looked up together.
    private static let upsertBatch = 1_000

    /// Finds the object of each row by its values in some slots, or creates one, and fills it.
    ///
    /// - Parameters:
    ///   - slots: One slot, or two.
    ///   - key: Returns a row's values for the slots, which may contain nulls. A row with a null
    ///     matches no object, and its new object gets the values that are not null.
    ///   - fill: Sets the values of a row in its object. Its last argument is true for a new
    ///     object.
    package func upsert<Entity: ManagedObject, Row, Result>(
        _ type: Entity.Type, _ rows: some Sequence<Row>, by slots: [Int],
        key: (Row) throws -> [StoredValue], returning result: UpsertResult<Entity, Result>,
        _ fill: (Entity, Row, Bool) throws -> Void
    ) throws -> Result {
        try enter()
        // The check comes first, because the first new object may come in the middle of the rows.
        try requireConcrete(type)
        var summary = UpsertSummary()
        var objects: [Entity] = []
        var lookup: ObjectLookup<Entity>?
        var batch: [(row: Row, values: [StoredValue], key: LookupKey?)] = []
        func resolve() throws {
            let known = try lookup ?? ObjectLookup(of: type, in: self, slots: slots)
            try known.prepare(batch.compactMap(\.key))
            for (row, values, key) in batch {
                let object = try upsert(type, key, values, slots, known, &summary) {
                    try fill($0, row, $1)
                }
                known.keep(object)
                if result.keepsObjects { objects.append(object) }
            }
            batch.removeAll(keepingCapacity: true)
            lookup = known
        }
        for row in rows {
            let values = try key(row)
            batch.append((row, values, LookupKey(values)))
            if batch.count == Self.upsertBatch { try resolve() }
        }
        if !batch.isEmpty { try resolve() }
        return result.make(summary, objects)
    }

    private func upsert<Entity: ManagedObject>(
        _ type: Entity.Type, _ key: LookupKey?, _ values: [StoredValue], _ slots: [Int],
        _ known: ObjectLookup<Entity>, _ summary: inout UpsertSummary,
        _ fill: (Entity, Bool) throws -> Void
    ) throws -> Entity {
        if let key, let object = try known.object(for: key) {
            summary.matched += 1
            try fill(object, false)
            return object
        }
        let object = try create(type)
        let entity = type.entityDescription
        // A slot that cannot be null keeps the new object's initial value.
        let given = zip(slots, values).filter { !$1.isNull || entity.slots[$0].isOptional }
        _ = try assign(given.map { (slot: $0, value: $1) }, to: object)
        summary.inserted += 1
        try fill(object, true)
        return object
    }
}
