public import FoundationEssentials
public import RecordStackGraph
public import RecordStackModel

// The verbs of conditions, for Foundation's `#Predicate` instead of a closure.
extension ManagedEntity where Self: ManagedObject {
    /// The objects of the entity for which a predicate is true.
    ///
    /// ```swift
    /// let members = try Person.find(
    ///     matching: #Predicate { $0.team?.title == "A" }, sortedBy: .ascending(\.name), in: context)
    /// ```
    ///
    /// - Parameters:
    ///   - predicate: which objects.
    ///   - sortKeys: what to sort by; without, objects come in the order of their IDs.
    ///   - limit: how many at most.
    ///   - offset: how many to leave out at the beginning.
    ///   - context: where the objects are to live.
    /// - Throws: ``RecordStackError/Code/misuse`` for a predicate that cannot be a filter, and what
    ///   `find(sortedBy:limit:offset:in:where:)` throws.
    public static func find(
        matching predicate: Predicate<Self>, sortedBy sortKeys: SortKey<Self>...,
        limit: Int? = nil, offset: Int = 0, in context: ManagedObjectContext
    ) throws -> [Self] {
        try context.find(request(predicate, sortKeys, limit: limit, offset: offset))
    }

    /// The first object for which a predicate is true; nil where there is none.
    public static func findFirst(
        matching predicate: Predicate<Self>, sortedBy sortKeys: SortKey<Self>...,
        in context: ManagedObjectContext
    ) throws -> Self? {
        try context.findFirst(request(predicate, sortKeys))
    }

    /// How many objects there are for which a predicate is true. Makes none.
    public static func count(
        matching predicate: Predicate<Self>, in context: ManagedObjectContext
    ) throws -> Int {
        try context.count(request(predicate, []))
    }

    /// Whether there is an object for which a predicate is true. Makes none.
    public static func exists(
        matching predicate: Predicate<Self>, in context: ManagedObjectContext
    ) throws -> Bool {
        try context.exists(request(predicate, []))
    }

    /// A page of the objects for which a predicate is true.
    ///
    /// - Parameters:
    ///   - number: the page, from 1. Page 0 and pages past the end are empty.
    ///   - size: how many objects a page has, at least 1.
    public static func page(
        _ number: Int, size: Int, matching predicate: Predicate<Self>,
        sortedBy sortKeys: SortKey<Self>..., in context: ManagedObjectContext
    ) throws -> Page<Self> {
        try context.page(number, size: size, of: request(predicate, sortKeys))
    }

    /// The only object for which a predicate is true.
    /// - Throws: ``RecordStackError/Code/notFound`` where there is none, ``RecordStackError/Code/notUnique``
    ///   where there are several, and what ``find(matching:sortedBy:limit:offset:in:)`` throws.
    public static func one(
        matching predicate: Predicate<Self>, in context: ManagedObjectContext
    ) throws -> Self {
        try context.one(request(predicate, []))
    }

    /// The values of the objects for which a predicate is true. Makes no objects where nothing is
    /// changed in memory.
    public static func snapshots(
        matching predicate: Predicate<Self>, sortedBy sortKeys: SortKey<Self>...,
        limit: Int? = nil, offset: Int = 0, in context: ManagedObjectContext
    ) throws -> [Snapshot<Self>] {
        let request = try request(predicate, sortKeys, limit: limit, offset: offset)
        return try context.queries.snapshots(context.storeRequest(request), as: Self.self)
    }

    /// Marks the objects for which a predicate is true for deletion by the next save.
    /// - Returns: how many there were.
    @discardableResult
    public static func delete(
        matching predicate: Predicate<Self>, in context: ManagedObjectContext
    ) throws -> Int {
        try context.delete(request(predicate, []))
    }

    fileprivate static func request(
        _ predicate: Predicate<Self>, _ sortKeys: [SortKey<Self>], limit: Int? = nil,
        offset: Int = 0
    ) throws -> FetchRequest<Self> {
        let filter = try Filter(predicate)
        return FetchRequest(
            filter: filter == .all ? nil : filter, sortKeys: sortKeys, limit: limit,
            offset: offset)
    }
}

// For main-actor code, in the default context.
@MainActor
extension ManagedEntity where Self: ManagedObject {
    /// The objects for which a predicate is true, in the default context of
    /// ``ContextStack/default``.
    public static func find(
        matching predicate: Predicate<Self>, sortedBy sortKeys: SortKey<Self>...,
        limit: Int? = nil, offset: Int = 0
    ) throws -> [Self] {
        try ContextStack.requireDefaultContext().find(
            request(predicate, sortKeys, limit: limit, offset: offset))
    }

    /// The first object for which a predicate is true, in the default context of
    /// ``ContextStack/default``.
    public static func findFirst(
        matching predicate: Predicate<Self>, sortedBy sortKeys: SortKey<Self>...
    ) throws -> Self? {
        try ContextStack.requireDefaultContext().findFirst(request(predicate, sortKeys))
    }

    /// How many objects there are for which a predicate is true, as the default context of
    /// ``ContextStack/default`` sees them.
    public static func count(matching predicate: Predicate<Self>) throws -> Int {
        try ContextStack.requireDefaultContext().count(request(predicate, []))
    }

    /// Whether there is an object for which a predicate is true, as the default context of
    /// ``ContextStack/default`` sees them.
    public static func exists(matching predicate: Predicate<Self>) throws -> Bool {
        try ContextStack.requireDefaultContext().exists(request(predicate, []))
    }

    /// A page of the objects for which a predicate is true, in the default context of
    /// ``ContextStack/default``.
    public static func page(
        _ number: Int, size: Int, matching predicate: Predicate<Self>,
        sortedBy sortKeys: SortKey<Self>...
    ) throws -> Page<Self> {
        try ContextStack.requireDefaultContext().page(
            number, size: size, of: request(predicate, sortKeys))
    }
}
