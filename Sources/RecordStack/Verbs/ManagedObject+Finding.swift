public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// The objects of the entity for which a condition is true.
    ///
    /// ```swift
    /// let adults = try Person.find(sortedBy: .ascending(\.name), in: context) { $0.age >= 18 }
    /// ```
    ///
    /// - Parameters:
    ///   - sortKeys: what to sort by; without, objects come in the order of their IDs.
    ///   - limit: how many at most.
    ///   - offset: how many to leave out at the beginning.
    ///   - paths: relationships that are loaded along, such as `{ $0.team.members }`: see
    ///     ``FetchRequest/prefetching(_:)``.
    ///   - context: where the objects are to live.
    ///   - condition: which objects; all without one.
    /// - Throws: ``RecordStackError/Code/misuse`` for a condition or sort key that names no declared
    ///   property and for a negative limit or offset; and what the store says.
    public static func find(
        sortedBy sortKeys: SortKey<Self>..., limit: Int? = nil, offset: Int = 0,
        @PrefetchBuilder prefetching paths: (RelationshipPath<Self>) -> [Prefetch] = { _ in [] },
        in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [Self] {
        let request = request(sortKeys, limit: limit, offset: offset, condition)
        return try context.find(request.prefetching(paths))
    }

    /// The first object for which a condition is true; nil where there is none.
    public static func findFirst(
        sortedBy sortKeys: SortKey<Self>..., in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Self? {
        try context.findFirst(request(sortKeys, condition))
    }

    /// The first object that has a value; nil where there is none.
    ///
    /// ```swift
    /// let ann = try Person.findFirst(by: \.email, "ann@example.org", in: context)
    /// ```
    public static func findFirst<Value: AttributeValue>(
        by keyPath: KeyPath<Self, Value>, _ value: Value, in context: ManagedObjectContext
    ) throws -> Self? {
        try context.findFirst(by: keyPath, value)
    }

    /// The first object that has a value, or a new one with that value.
    ///
    /// ```swift
    /// let ann = try Person.findFirstOrCreate(by: \.email, "ann@example.org", in: context)
    /// ```
    public static func findFirstOrCreate<Value: AttributeValue>(
        by keyPath: ReferenceWritableKeyPath<Self, Value>, _ value: Value,
        in context: ManagedObjectContext
    ) throws -> Self {
        try context.findFirstOrCreate(by: keyPath, value)
    }

    /// The object of an ID, with its values loaded.
    /// - Throws: ``RecordStackError/Code/notFound`` where there is none of this entity.
    public static func existing(
        _ id: ManagedObjectID, in context: ManagedObjectContext
    ) throws -> Self {
        try context.existingObject(id, as: Self.self)
    }

    /// How many objects there are for which a condition is true. Makes none.
    public static func count(
        in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Int {
        try context.count(request([], condition))
    }

    /// Whether there is an object for which a condition is true. Makes none.
    public static func exists(
        in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Bool {
        try context.exists(request([], condition))
    }

    /// A page of the objects for which a condition is true.
    ///
    /// ```swift
    /// let page = try Person.page(2, size: 25, sortedBy: .ascending(\.name), in: context)
    /// ```
    ///
    /// - Parameters:
    ///   - number: the page, from 1. Page 0 and pages past the end are empty.
    ///   - size: how many objects a page has, at least 1.
    public static func page(
        _ number: Int, size: Int, sortedBy sortKeys: SortKey<Self>...,
        in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Page<Self> {
        try context.page(number, size: size, of: request(sortKeys, condition))
    }

    static func request(
        _ sortKeys: [SortKey<Self>], limit: Int? = nil, offset: Int = 0,
        _ condition: (FilterProxy<Self>) -> Filter
    ) -> FetchRequest<Self> {
        let filter = condition(FilterProxy())
        return FetchRequest(
            filter: filter == .all ? nil : filter, sortKeys: sortKeys, limit: limit,
            offset: offset)
    }
}
