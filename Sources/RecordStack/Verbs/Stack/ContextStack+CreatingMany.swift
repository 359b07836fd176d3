public import RecordStackGraph
public import RecordStackModel

extension ContextStack {
    /// Inserts a new object for each row, in a transaction of its own, at once.
    ///
    /// ```swift
    /// let ids = try await stack.create(Person.self, from: rows) { person, row in
    ///     person.email = row.mail
    /// }
    /// ```
    ///
    /// It is a save block: it waits for those before it, runs off the main actor, and inserts all of the objects
    /// or none. Contexts show them as they show what any save block has saved. Without rows nothing is written.
    ///
    /// - Parameters:
    ///   - type: the entity.
    ///   - rows: what the objects are made from, in any type; the caller uses them no more, unless they are
    ///     Sendable.
    ///   - fill: gives a new object the values of its row. As of a save block, it belongs to no actor.
    /// - Returns: the IDs of the objects, in the order of the rows.
    /// - Throws: what the closure throws, and what ``saveWithBlock(_:)`` throws.
    @discardableResult
    public func create<Entity: ManagedObject, Row>(
        _ type: Entity.Type, from rows: sending some Sequence<Row> & SendableMetatype,
        _ fill: sending @escaping (Entity, Row) throws -> Void
    ) async throws -> [ManagedObjectID] {
        try await saveWithBlock { context in
            try context.create(type, from: rows, fill).map(\.objectID)
        }
    }

    /// Inserts a new object for each row as ``create(_:from:_:)`` does, and waits for it.
    ///
    /// - Throws: what ``create(_:from:_:)`` throws.
    @available(*, noasync, message: "Use create, which does not block the thread.")
    @discardableResult
    public func createAndWait<Entity: ManagedObject, Row>(
        _ type: Entity.Type, from rows: sending some Sequence<Row> & SendableMetatype,
        _ fill: sending (Entity, Row) throws -> Void
    ) throws -> [ManagedObjectID] {
        try saveWithBlockAndWait { context in
            try context.create(type, from: rows, fill).map(\.objectID)
        }
    }
}
