public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// The objects of the entity for which a condition is true.
    ///
    /// ```swift
    /// let adults = try Person.find(sortedBy: .ascending(\.name), in: context) { $0.age >= 18 }
    /// let members = try Person.find(matching: .format("team.title == %@", "A"), in: context)
    /// let others = try Person.find(matching: Filter(#Predicate<Person> { $0.age < 18 }), in: context)
    /// ```
    ///
    /// - Parameters:
    ///   - filter: a condition that was made before, of a format string or of a `#Predicate`; where there is a
    ///     closure as well, both must be true.
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
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [], limit: Int? = nil,
        offset: Int = 0,
        @PrefetchBuilder prefetching paths: (RelationshipPath<Self>) -> [Prefetch] = { _ in [] },
        in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [Self] {
        let request = request(filter, sortKeys, limit: limit, offset: offset, condition)
        return try context.find(request.prefetching(paths))
    }

    /// The first object for which a condition is true; nil where there is none.
    public static func findFirst(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Self? {
        try context.findFirst(request(filter, sortKeys, condition))
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
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Int {
        try context.count(request(filter, [], condition))
    }

    /// Whether there is an object for which a condition is true. Makes none.
    public static func exists(
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Bool {
        try context.exists(request(filter, [], condition))
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
        _ number: Int, size: Int, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Page<Self> {
        try context.page(number, size: size, of: request(filter, sortKeys, condition))
    }

    /// The only object for which a condition is true.
    ///
    /// ```swift
    /// let ann = try Person.one(in: context) { $0.email == "ann@example.org" }
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/notFound`` where there is none, ``RecordStackError/Code/notUnique``
    ///   where there are several, and what finding throws.
    public static func one(
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Self {
        try context.one(request(filter, [], condition))
    }
}

extension ManagedEntity {
    /// The request of a verb: both its filter and its closure must be true.
    static func request(
        _ filter: Filter, _ sortKeys: [SortKey<Self>], limit: Int? = nil, offset: Int = 0,
        _ condition: (FilterProxy<Self>) -> Filter
    ) -> FetchRequest<Self> {
        let written = condition(FilterProxy())
        let both = filter == .all ? written : written == .all ? filter : filter && written
        return FetchRequest(
            filter: both == .all ? nil : both, sortKeys: sortKeys, limit: limit, offset: offset)
    }
}
