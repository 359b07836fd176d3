public import RecordStackGraph
public import RecordStackModel

extension ContextStack {
    /// Finds or creates the object of each row, sets its values and saves it.
    ///
    /// ```swift
    /// let summary = try await stack.upsert(Person.self, rows, by: \.email, key: { $0.mail }) {
    ///     person, row, isNew in person.name = row.name
    /// }
    /// ```
    ///
    /// The call runs `Entity.upsert(_:by:key:in:_:)` in a save block, which is a separate
    /// transaction. It waits for earlier blocks, runs off the main actor, and saves everything or
    /// nothing. With the default architecture, it does not find unsaved objects of other contexts.
    /// If nothing changes, it writes nothing.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - rows: The rows, of any type. The caller must not use them afterwards, unless they are
    ///     Sendable.
    ///   - target: The attribute to compare, usually a unique one.
    ///   - key: Returns a row's value of the attribute. Like a save block, it must not be isolated
    ///     to an actor.
    ///   - fill: Sets the values of an object from its row. It must not be isolated to an actor
    ///     either.
    /// - Returns: How many rows became new objects, and how many rows matched an object.
    /// - Throws: Any error of the closures, of an upsert in a context, and of
    ///   ``saveWithBlock(_:)``.
    @discardableResult
    public func upsert<Entity: ManagedObject, Row, Value: AttributeValue>(
        _ type: Entity.Type, _ rows: sending some Sequence<Row> & SendableMetatype,
        by target: KeyPath<Entity, Value>, key: sending @escaping (Row) throws -> Value?,
        _ fill: sending @escaping (Entity, Row, _ isNew: Bool) throws -> Void
    ) async throws -> UpsertSummary {
        let slots = [try Entity.slot(target)]
        return try await saveWithBlock { context in
            try context.upsert(
                type, rows, by: slots, key: { storedValues(try key($0)) },
                returning: .summary, fill)
        }
    }

    /// Finds or creates the object of each row by two attributes, sets its values and saves it.
    ///
    /// Apart from the second attribute, the upsert works like ``upsert(_:_:by:key:_:)``.
    @discardableResult
    public func upsert<Entity: ManagedObject, Row, First: AttributeValue, Second: AttributeValue>(
        _ type: Entity.Type, _ rows: sending some Sequence<Row> & SendableMetatype,
        by first: KeyPath<Entity, First>, _ second: KeyPath<Entity, Second>,
        key: sending @escaping (Row) throws -> (First?, Second?),
        _ fill: sending @escaping (Entity, Row, _ isNew: Bool) throws -> Void
    ) async throws -> UpsertSummary {
        let slots = [try Entity.slot(first), try Entity.slot(second)]
        return try await saveWithBlock { context in
            try context.upsert(
                type, rows, by: slots, key: { storedValues(try key($0)) },
                returning: .summary, fill)
        }
    }

    /// Upserts and saves rows like ``upsert(_:_:by:key:_:)``, and returns the IDs of their objects.
    ///
    /// Pass `.objectIDs` as the argument `returning`, because objects cannot leave the save block.
    ///
    /// - Returns: The ID of the object of each row, in the order of the rows.
    public func upsert<Entity: ManagedObject, Row, Value: AttributeValue, Result: Sendable>(
        _ type: Entity.Type, _ rows: sending some Sequence<Row> & SendableMetatype,
        by target: KeyPath<Entity, Value>, key: sending @escaping (Row) throws -> Value?,
        returning result: sending UpsertResult<Entity, Result>,
        _ fill: sending @escaping (Entity, Row, _ isNew: Bool) throws -> Void
    ) async throws -> Result {
        let slots = [try Entity.slot(target)]
        return try await saveWithBlock { context in
            try context.upsert(
                type, rows, by: slots, key: { storedValues(try key($0)) }, returning: result, fill)
        }
    }

    /// Upserts and saves rows, and blocks the thread.
    ///
    /// Works like ``upsert(_:_:by:key:_:)``.
    @available(*, noasync, message: "Use upsert, which does not block the thread.")
    @discardableResult
    public func upsertAndWait<Entity: ManagedObject, Row, Value: AttributeValue>(
        _ type: Entity.Type, _ rows: sending some Sequence<Row> & SendableMetatype,
        by target: KeyPath<Entity, Value>, key: sending (Row) throws -> Value?,
        _ fill: sending (Entity, Row, _ isNew: Bool) throws -> Void
    ) throws -> UpsertSummary {
        let slots = [try Entity.slot(target)]
        return try saveWithBlockAndWait { context in
            try context.upsert(
                type, rows, by: slots, key: { storedValues(try key($0)) },
                returning: .summary, fill)
        }
    }

    /// Upserts and saves rows by two attributes, and blocks the thread.
    ///
    /// Works like ``upsert(_:_:by:_:key:_:)``.
    @available(*, noasync, message: "Use upsert, which does not block the thread.")
    @discardableResult
    public func upsertAndWait<
        Entity: ManagedObject, Row, First: AttributeValue, Second: AttributeValue
    >(
        _ type: Entity.Type, _ rows: sending some Sequence<Row> & SendableMetatype,
        by first: KeyPath<Entity, First>, _ second: KeyPath<Entity, Second>,
        key: sending (Row) throws -> (First?, Second?),
        _ fill: sending (Entity, Row, _ isNew: Bool) throws -> Void
    ) throws -> UpsertSummary {
        let slots = [try Entity.slot(first), try Entity.slot(second)]
        return try saveWithBlockAndWait { context in
            try context.upsert(
                type, rows, by: slots, key: { storedValues(try key($0)) },
                returning: .summary, fill)
        }
    }
}
