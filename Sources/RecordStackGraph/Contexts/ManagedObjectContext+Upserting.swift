package import RecordStackModel

extension ManagedObjectContext {
    /// Rows that are looked up together.
    private static let upsertBatch = 1_000

    /// Finds the object of each row by its values in some slots, or makes one, and has it filled in.
    ///
    /// - Parameters:
    ///   - slots: one, or two.
    ///   - key: a row's values for them, null among them. With a null the row is of no object that is there, and its new
    ///     object has the others.
    ///   - fill: gives an object the values of its row, and is told whether it is new.
    package func upsert<Entity: ManagedObject, Row, Result>(
        _ type: Entity.Type, _ rows: some Sequence<Row>, by slots: [Int],
        key: (Row) throws -> [StoredValue], returning result: UpsertResult<Entity, Result>,
        _ fill: (Entity, Row, Bool) throws -> Void
    ) throws -> Result {
        try enter()
        // Found out with the first new object, it would be in the middle.
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
        // What cannot be null stays what a new object has.
        let given = zip(slots, values).filter { !$1.isNull || entity.slots[$0].isOptional }
        _ = try assign(given.map { (slot: $0, value: $1) }, to: object)
        summary.inserted += 1
        try fill(object, true)
        return object
    }
}
