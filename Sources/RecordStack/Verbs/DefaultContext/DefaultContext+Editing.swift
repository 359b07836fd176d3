public import RecordStackGraph
public import RecordStackModel

// The same verbs without a context, for main-actor code: they use the default context of the
// default stack. In a save block they do not compile, because a block is not on the main actor.
@MainActor
extension ManagedObject {
    /// ``create(in:)`` in the default context of ``ContextStack/default``.
    @discardableResult
    public static func create() throws -> Self {
        try create(in: ContextStack.requireDefaultContext())
    }
}

@MainActor
extension ManagedEntity where Self: ManagedObject {
    /// ``delete(in:where:)`` in the default context of ``ContextStack/default``.
    @discardableResult
    public static func delete(
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter
    ) throws -> Int {
        try delete(in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``delete(matching:in:)`` in the default context of ``ContextStack/default``.
    @discardableResult
    public static func delete(matching filter: Filter) throws -> Int {
        try delete(matching: filter, in: ContextStack.requireDefaultContext())
    }

    /// ``deleteAll(in:)`` in the default context of ``ContextStack/default``.
    @discardableResult
    public static func deleteAll() throws -> Int {
        try deleteAll(in: ContextStack.requireDefaultContext())
    }

    /// ``snapshots(matching:sortedBy:limit:offset:in:where:)`` in the default context of ``ContextStack/default``.
    public static func snapshots(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [], limit: Int? = nil,
        offset: Int = 0,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [Snapshot<Self>] {
        try snapshots(
            matching: filter, sortedBy: sortKeys, limit: limit, offset: offset,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``create(from:in:_:)`` in the default context of ``ContextStack/default``.
    @discardableResult
    public static func create<Row>(
        from rows: some Sequence<Row>, _ fill: (Self, Row) throws -> Void
    ) throws -> [Self] {
        try create(from: rows, in: ContextStack.requireDefaultContext(), fill)
    }

    /// ``upsert(_:by:key:in:_:)`` in the default context of ``ContextStack/default``.
    @discardableResult
    public static func upsert<Row, Value: AttributeValue>(
        _ rows: some Sequence<Row>, by target: KeyPath<Self, Value>, key: (Row) throws -> Value?,
        _ fill: (Self, Row, _ isNew: Bool) throws -> Void
    ) throws -> UpsertSummary {
        try upsert(rows, by: target, key: key, in: ContextStack.requireDefaultContext(), fill)
    }

    /// ``upsert(_:by:_:key:in:_:)`` in the default context of ``ContextStack/default``.
    @discardableResult
    public static func upsert<Row, First: AttributeValue, Second: AttributeValue>(
        _ rows: some Sequence<Row>, by first: KeyPath<Self, First>, _ second: KeyPath<Self, Second>,
        key: (Row) throws -> (First?, Second?), _ fill: (Self, Row, _ isNew: Bool) throws -> Void
    ) throws -> UpsertSummary {
        try upsert(
            rows, by: first, second, key: key, in: ContextStack.requireDefaultContext(), fill)
    }

    /// ``upsert(_:in:)`` in the default context of ``ContextStack/default``.
    @discardableResult
    public static func upsert(_ snapshots: some Sequence<Snapshot<Self>>) throws -> UpsertSummary {
        try upsert(snapshots, in: ContextStack.requireDefaultContext())
    }
}
