public import RecordStackGraph
public import RecordStackModel

extension ContextStack {
    /// Finds the object of each row, or makes one, and has it filled in, in a transaction of its own, at once.
    ///
    /// ```swift
    /// let summary = try await stack.upsert(Person.self, rows, by: \.email, key: { $0.mail }) {
    ///     person, row, isNew in person.name = row.name
    /// }
    /// ```
    ///
    /// It does what `Entity.upsert(_:by:key:in:_:)` does, in a save block: it waits for those before it, runs off
    /// the main actor, and saves everything or nothing. What contexts have not saved is not met. Where nothing
    /// changes, nothing is written.
    ///
    /// - Parameters:
    ///   - type: the entity.
    ///   - rows: what the objects are filled in from, in any type; the caller uses them no more, unless they are
    ///     Sendable.
    ///   - target: an attribute; usually a unique one.
    ///   - key: a row's value of the attribute. As a save block, it belongs to no actor.
    ///   - fill: gives an object the values of its row, and belongs to no actor either.
    /// - Returns: how many rows became new objects, and how many met one.
    /// - Throws: what the closures throw, what upserting in a context throws, and what ``saveWithBlock(_:)``
    ///   throws.
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

    /// Finds the object of each row by two attributes, or makes one, as ``upsert(_:_:by:key:_:)`` does by one.
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

    /// Upserts as ``upsert(_:_:by:key:_:)`` does, and returns what the rows' objects are known by.
    /// - Parameter result: `.objectIDs`: objects do not leave the block.
    /// - Returns: the ID of each row's object, in the rows' order.
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

    /// Upserts as ``upsert(_:_:by:key:_:)`` does, and waits for it.
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

    /// Upserts by two attributes as ``upsert(_:_:by:_:key:_:)`` does, and waits for it.
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
