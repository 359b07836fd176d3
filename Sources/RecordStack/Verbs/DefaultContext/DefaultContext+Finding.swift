public import RecordStackGraph
public import RecordStackModel

// The same verbs without a context, for main-actor code: they use the default context of the
// default stack. In a save block they do not compile, because a block is not on the main actor.
@MainActor
extension ManagedEntity where Self: ManagedObject {
    /// ``find(matching:sortedBy:limit:offset:prefetching:in:where:)`` in the default context of ``ContextStack/default``.
    public static func find(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [], limit: Int? = nil,
        offset: Int = 0,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [Self] {
        try find(
            matching: filter, sortedBy: sortKeys, limit: limit, offset: offset,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    // By itself: beside an optional closure before it, a trailing one would not be taken for the condition.

    /// ``find(matching:sortedBy:limit:offset:prefetching:in:where:)`` in the default context of ``ContextStack/default``.
    public static func find(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [], limit: Int? = nil,
        offset: Int = 0,
        @PrefetchBuilder prefetching paths: (RelationshipPath<Self>) -> [Prefetch],
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [Self] {
        try find(
            matching: filter, sortedBy: sortKeys, limit: limit, offset: offset, prefetching: paths,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``findFirst(matching:sortedBy:in:where:)`` in the default context of ``ContextStack/default``.
    public static func findFirst(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Self? {
        try findFirst(
            matching: filter, sortedBy: sortKeys, in: ContextStack.requireDefaultContext(),
            where: condition)
    }

    /// ``findFirst(by:_:in:)`` in the default context of ``ContextStack/default``.
    public static func findFirst<Value: AttributeValue>(
        by keyPath: KeyPath<Self, Value>, _ value: Value
    ) throws -> Self? {
        try findFirst(by: keyPath, value, in: ContextStack.requireDefaultContext())
    }

    /// ``findFirstOrCreate(by:_:in:)`` in the default context of ``ContextStack/default``.
    public static func findFirstOrCreate<Value: AttributeValue>(
        by keyPath: ReferenceWritableKeyPath<Self, Value>, _ value: Value
    ) throws -> Self {
        try findFirstOrCreate(by: keyPath, value, in: ContextStack.requireDefaultContext())
    }

    /// ``existing(_:in:)`` in the default context of ``ContextStack/default``.
    public static func existing(
        _ id: ManagedObjectID
    ) throws -> Self {
        try existing(id, in: ContextStack.requireDefaultContext())
    }

    /// ``count(matching:in:where:)`` in the default context of ``ContextStack/default``.
    public static func count(
        matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Int {
        try count(matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``exists(matching:in:where:)`` in the default context of ``ContextStack/default``.
    public static func exists(
        matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Bool {
        try exists(matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``page(_:size:matching:sortedBy:in:where:)`` in the default context of ``ContextStack/default``.
    public static func page(
        _ number: Int, size: Int, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [],
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Page<Self> {
        try page(
            number, size: size, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``one(matching:in:where:)`` in the default context of ``ContextStack/default``.
    public static func one(
        matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Self {
        try one(matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``findLazily(batch:matching:sortedBy:limit:offset:in:where:)`` in the default context of ``ContextStack/default``.
    public static func findLazily(
        batch size: Int = 100, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], limit: Int? = nil, offset: Int = 0,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> LazyResults<Self> {
        try findLazily(
            batch: size, matching: filter, sortedBy: sortKeys, limit: limit, offset: offset,
            in: ContextStack.requireDefaultContext(), where: condition)
    }
}
