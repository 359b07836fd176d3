public import RecordStackGraph
public import RecordStackModel

// The same verbs without a context, for main-actor code: they use the default context of the
// default stack. In a save block they do not compile, because a block is not on the main actor.
@MainActor
extension ManagedEntity where Self: ManagedObject {
    /// Makes a new object in the default context of ``ContextStack/default``.
    @discardableResult
    public static func create() throws -> Self {
        try create(in: ContextStack.requireDefaultContext())
    }

    /// The objects for which a condition is true, in the default context of
    /// ``ContextStack/default``.
    public static func find(
        sortedBy sortKeys: SortKey<Self>..., limit: Int? = nil, offset: Int = 0,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [Self] {
        try ContextStack.requireDefaultContext().find(
            request(sortKeys, limit: limit, offset: offset, condition))
    }

    /// The first object for which a condition is true, in the default context of
    /// ``ContextStack/default``.
    public static func findFirst(
        sortedBy sortKeys: SortKey<Self>...,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Self? {
        try ContextStack.requireDefaultContext().findFirst(request(sortKeys, condition))
    }

    /// The first object that has a value, in the default context of ``ContextStack/default``.
    public static func findFirst<Value: AttributeValue>(
        by keyPath: KeyPath<Self, Value>, _ value: Value
    ) throws -> Self? {
        try ContextStack.requireDefaultContext().findFirst(by: keyPath, value)
    }

    /// How many objects there are for which a condition is true, as the default context of
    /// ``ContextStack/default`` sees them.
    public static func count(
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Int {
        try ContextStack.requireDefaultContext().count(request([], condition))
    }

    /// Whether there is an object for which a condition is true, as the default context of
    /// ``ContextStack/default`` sees them.
    public static func exists(
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Bool {
        try ContextStack.requireDefaultContext().exists(request([], condition))
    }

    /// A page of the objects for which a condition is true, in the default context of
    /// ``ContextStack/default``.
    public static func page(
        _ number: Int, size: Int, sortedBy sortKeys: SortKey<Self>...,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Page<Self> {
        try ContextStack.requireDefaultContext().page(
            number, size: size, of: request(sortKeys, condition))
    }
}
