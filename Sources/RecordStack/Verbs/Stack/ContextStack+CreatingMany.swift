public import RecordStackGraph
public import RecordStackModel

extension ContextStack {
    /// Creates an object for each row, and saves all of the objects in one transaction.
    ///
    /// ```swift
    /// let ids = try await stack.create(Person.self, from: rows) { person, row in
    ///     person.email = row.mail
    /// }
    /// ```
    ///
    /// The call runs as a save block: it waits for earlier blocks, runs off the main actor, and
    /// inserts all objects or none. Contexts merge the new objects like the changes of any save
    /// block. If there are no rows, the call writes nothing.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - rows: The rows, of any type. The caller must not use them afterwards, unless they are
    ///     Sendable.
    ///   - fill: Sets the values of a new object from its row. Like a save block, it must not be
    ///     isolated to an actor.
    /// - Returns: The IDs of the objects, in the order of the rows.
    /// - Throws: Any error of the closure and of ``saveWithBlock(_:)``.
    @discardableResult
    public func create<Entity: ManagedObject, Row>(
        _ type: Entity.Type, from rows: sending some Sequence<Row> & SendableMetatype,
        _ fill: sending @escaping (Entity, Row) throws -> Void
    ) async throws -> [ManagedObjectID] {
        try await saveWithBlock { context in
            try context.create(type, from: rows, fill).map(\.objectID)
        }
    }

    /// Creates and saves an object for each row, and blocks the thread.
    ///
    /// Works like ``create(_:from:_:)``.
    ///
    /// - Throws: Any error of ``create(_:from:_:)``.
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
