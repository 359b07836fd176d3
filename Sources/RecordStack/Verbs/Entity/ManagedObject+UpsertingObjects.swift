public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Upserts rows like ``upsert(_:by:key:in:_:)``, and returns their objects or IDs.
    ///
    /// ```swift
    /// let tags = try Tag.upsert(
    ///     names, by: \.name, key: { $0 }, returning: .objects, in: context
    /// ) { _, _, _ in }
    /// person.tags.replaceAll(with: tags)
    /// ```
    ///
    /// Pass `.objects` or `.objectIDs` as the argument `returning`.
    ///
    /// - Returns: The objects of the rows, or the objects' IDs, in the order of the rows.
    public static func upsert<Row, Value: AttributeValue, Result>(
        _ rows: some Sequence<Row>, by target: KeyPath<Self, Value>, key: (Row) throws -> Value?,
        returning result: UpsertResult<Self, Result>, in context: ManagedObjectContext,
        _ fill: (Self, Row, _ isNew: Bool) throws -> Void
    ) throws -> Result {
        try context.upsert(
            Self.self, rows, by: [slot(target)], key: { try storedValues(key($0)) },
            returning: result, fill)
    }

    /// Upserts rows like ``upsert(_:by:_:key:in:_:)``, and returns their objects or IDs.
    ///
    /// Pass `.objects` or `.objectIDs` as the argument `returning`.
    ///
    /// - Returns: The objects of the rows, or the objects' IDs, in the order of the rows.
    public static func upsert<Row, First: AttributeValue, Second: AttributeValue, Result>(
        _ rows: some Sequence<Row>, by first: KeyPath<Self, First>, _ second: KeyPath<Self, Second>,
        key: (Row) throws -> (First?, Second?), returning result: UpsertResult<Self, Result>,
        in context: ManagedObjectContext, _ fill: (Self, Row, _ isNew: Bool) throws -> Void
    ) throws -> Result {
        try context.upsert(
            Self.self, rows, by: [slot(first), slot(second)], key: { try storedValues(key($0)) },
            returning: result, fill)
    }
}

@MainActor
extension ManagedEntity where Self: ManagedObject {
    /// Upserts rows in the default context, and returns their objects or IDs.
    ///
    /// Works like ``upsert(_:by:key:returning:in:_:)``, in the default context of
    /// ``ContextStack/default``.
    public static func upsert<Row, Value: AttributeValue, Result>(
        _ rows: some Sequence<Row>, by target: KeyPath<Self, Value>, key: (Row) throws -> Value?,
        returning result: UpsertResult<Self, Result>,
        _ fill: (Self, Row, _ isNew: Bool) throws -> Void
    ) throws -> Result {
        try upsert(
            rows, by: target, key: key, returning: result,
            in: ContextStack.requireDefaultContext(), fill)
    }

    /// Upserts rows by two attributes in the default context, and returns their objects or IDs.
    ///
    /// Works like ``upsert(_:by:_:key:returning:in:_:)``, in the default context of
    /// ``ContextStack/default``.
    public static func upsert<Row, First: AttributeValue, Second: AttributeValue, Result>(
        _ rows: some Sequence<Row>, by first: KeyPath<Self, First>, _ second: KeyPath<Self, Second>,
        key: (Row) throws -> (First?, Second?), returning result: UpsertResult<Self, Result>,
        _ fill: (Self, Row, _ isNew: Bool) throws -> Void
    ) throws -> Result {
        try upsert(
            rows, by: first, second, key: key, returning: result,
            in: ContextStack.requireDefaultContext(), fill)
    }
}
