public import RecordStackGraph
import RecordStackModel

extension ManagedObjectContext {
    /// Creates an object of an entity for each row, like `Entity.create(from:in:_:)`.
    ///
    /// ```swift
    /// try context.create(Person.self, from: rows) { person, row in person.email = row.mail }
    /// ```
    ///
    /// - Returns: The objects, in the order of the rows.
    @discardableResult
    public func create<Entity: ManagedObject, Row>(
        _ type: Entity.Type, from rows: some Sequence<Row>,
        _ fill: (Entity, Row) throws -> Void
    ) throws -> [Entity] {
        try requireOpen()
        var made: [Entity] = []
        made.reserveCapacity(rows.underestimatedCount)
        for row in rows {
            let object = try create(type)
            made.append(object)
            try fill(object, row)
        }
        return made
    }
}
