public import RecordStackGraph
public import RecordStackModel

// Verbs without a context, for main-actor code. They use the default context of the default stack.
// They do not compile in a save block, because a save block does not run on the main actor.
@MainActor
extension ManagedObject {
    /// Creates an object in the default context, with the declared defaults.
    ///
    /// Works like ``create(in:)``, in the default context of ``ContextStack/default``.
    @discardableResult
    public static func create() throws -> Self {
        try create(in: ContextStack.requireDefaultContext())
    }
}

@MainActor
extension ManagedEntity where Self: ManagedObject {
    /// Marks the objects that match a condition for deletion by the default context's next save.
    ///
    /// Works like ``delete(in:where:)``, in the default context of ``ContextStack/default``.
    @discardableResult
    public static func delete(
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter
    ) throws -> Int {
        try delete(in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Marks the objects that match a filter for deletion by the default context's next save.
    ///
    /// Works like ``delete(matching:in:)``, in the default context of ``ContextStack/default``.
    @discardableResult
    public static func delete(matching filter: Filter) throws -> Int {
        try delete(matching: filter, in: ContextStack.requireDefaultContext())
    }

    /// Marks all objects of the entity for deletion by the default context's next save.
    ///
    /// Works like ``deleteAll(in:)``, in the default context of ``ContextStack/default``.
    @discardableResult
    public static func deleteAll() throws -> Int {
        try deleteAll(in: ContextStack.requireDefaultContext())
    }

    /// Returns snapshots of the objects in the default context that match a condition.
    ///
    /// Works like ``snapshots(matching:sortedBy:limit:offset:in:where:)``, in the default context
    /// of ``ContextStack/default``.
    public static func snapshots(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [], limit: Int? = nil,
        offset: Int = 0,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [Snapshot<Self>] {
        try snapshots(
            matching: filter, sortedBy: sortKeys, limit: limit, offset: offset,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Creates an object in the default context for each row.
    ///
    /// Works like ``create(from:in:_:)``, in the default context of ``ContextStack/default``.
    @discardableResult
    public static func create<Row>(
        from rows: some Sequence<Row>, _ fill: (Self, Row) throws -> Void
    ) throws -> [Self] {
        try create(from: rows, in: ContextStack.requireDefaultContext(), fill)
    }

    /// Finds or creates the object of each row in the default context, and sets its values.
    ///
    /// Works like ``upsert(_:by:key:in:_:)``, in the default context of ``ContextStack/default``.
    @discardableResult
    public static func upsert<Row, Value: AttributeValue>(
        _ rows: some Sequence<Row>, by target: KeyPath<Self, Value>, key: (Row) throws -> Value?,
        _ fill: (Self, Row, _ isNew: Bool) throws -> Void
    ) throws -> UpsertSummary {
        try upsert(rows, by: target, key: key, in: ContextStack.requireDefaultContext(), fill)
    }

    /// Finds or creates the object of each row in the default context, by two attributes.
    ///
    /// Works like ``upsert(_:by:_:key:in:_:)``, in the default context of ``ContextStack/default``.
    @discardableResult
    public static func upsert<Row, First: AttributeValue, Second: AttributeValue>(
        _ rows: some Sequence<Row>, by first: KeyPath<Self, First>, _ second: KeyPath<Self, Second>,
        key: (Row) throws -> (First?, Second?), _ fill: (Self, Row, _ isNew: Bool) throws -> Void
    ) throws -> UpsertSummary {
        try upsert(
            rows, by: first, second, key: key, in: ContextStack.requireDefaultContext(), fill)
    }

    /// Finds or creates the object of each snapshot in the default context.
    ///
    /// Works like ``upsert(_:in:)``, in the default context of ``ContextStack/default``.
    @discardableResult
    public static func upsert(_ snapshots: some Sequence<Snapshot<Self>>) throws -> UpsertSummary {
        try upsert(snapshots, in: ContextStack.requireDefaultContext())
    }
}
