public import RecordStackGraph
public import RecordStackModel

// Verbs without a context, for main-actor code. They use the default context of the default stack.
// They do not compile in a save block, because a save block does not run on the main actor.
@MainActor
extension ManagedEntity where Self: ManagedObject {
    /// Returns the objects in the default context that match a condition.
    ///
    /// Works like ``find(matching:sortedBy:limit:offset:prefetching:in:where:)``, in the default
    /// context of ``ContextStack/default``.
    public static func find(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [], limit: Int? = nil,
        offset: Int = 0,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [Self] {
        try find(
            matching: filter, sortedBy: sortKeys, limit: limit, offset: offset,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    // A separate overload: if one function had an optional closure before the condition, the
    // compiler would not pass a trailing closure as the condition.

    /// Returns the objects in the default context that match a condition, with prefetching.
    ///
    /// Works like ``find(matching:sortedBy:limit:offset:prefetching:in:where:)``, in the default
    /// context of ``ContextStack/default``.
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

    /// Returns the first object in the default context that matches a condition, or nil.
    ///
    /// Works like ``findFirst(matching:sortedBy:in:where:)``, in the default context of
    /// ``ContextStack/default``.
    public static func findFirst(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Self? {
        try findFirst(
            matching: filter, sortedBy: sortKeys, in: ContextStack.requireDefaultContext(),
            where: condition)
    }

    /// Returns the first object in the default context whose attribute equals a value, or nil.
    ///
    /// Works like ``findFirst(by:_:in:)``, in the default context of ``ContextStack/default``.
    public static func findFirst<Value: AttributeValue>(
        by keyPath: KeyPath<Self, Value>, _ value: Value
    ) throws -> Self? {
        try findFirst(by: keyPath, value, in: ContextStack.requireDefaultContext())
    }

    /// Returns the default context's first object whose attribute has a given value, or creates it.
    ///
    /// Works like ``findFirstOrCreate(by:_:in:)``, in the default context of
    /// ``ContextStack/default``.
    public static func findFirstOrCreate<Value: AttributeValue>(
        by keyPath: ReferenceWritableKeyPath<Self, Value>, _ value: Value
    ) throws -> Self {
        try findFirstOrCreate(by: keyPath, value, in: ContextStack.requireDefaultContext())
    }

    /// Returns the default context's object that has an ID, and loads its values.
    ///
    /// Works like ``existing(_:in:)``, in the default context of ``ContextStack/default``.
    public static func existing(
        _ id: ManagedObjectID
    ) throws -> Self {
        try existing(id, in: ContextStack.requireDefaultContext())
    }

    /// Returns the number of objects in the default context that match a condition.
    ///
    /// Works like ``count(matching:in:where:)``, in the default context of
    /// ``ContextStack/default``.
    public static func count(
        matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Int {
        try count(matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns true if any object in the default context matches a condition.
    ///
    /// Works like ``exists(matching:in:where:)``, in the default context of
    /// ``ContextStack/default``.
    public static func exists(
        matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Bool {
        try exists(matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns a page of the objects in the default context that match a condition.
    ///
    /// Works like ``page(_:size:matching:sortedBy:in:where:)``, in the default context of
    /// ``ContextStack/default``.
    public static func page(
        _ number: Int, size: Int, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [],
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Page<Self> {
        try page(
            number, size: size, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns the only object in the default context that matches a condition.
    ///
    /// Works like ``one(matching:in:where:)``, in the default context of ``ContextStack/default``.
    public static func one(
        matching filter: Filter = .all,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Self {
        try one(matching: filter, in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns the objects in the default context that match a condition, loaded in batches.
    ///
    /// Works like ``findLazily(batch:matching:sortedBy:limit:offset:in:where:)``, in the default
    /// context of ``ContextStack/default``.
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
