public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Returns the objects that match a condition.
    ///
    /// ```swift
    /// let adults = try Person.find(sortedBy: .ascending(\.name), in: context) { $0.age >= 18 }
    /// let members = try Person.find(matching: .format("team.title == %@", "A"), in: context)
    /// let minors = Filter(#Predicate<Person> { $0.age < 18 })
    /// let others = try Person.find(matching: minors, in: context)
    /// ```
    ///
    /// - Parameters:
    ///   - filter: A filter that you built earlier, for example from a format string or a
    ///     `#Predicate`. If you also pass a closure, objects must match both.
    ///   - sortKeys: The sort order. By default, objects are sorted by ID.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    ///   - paths: Relationships to load with the objects, such as `{ $0.team.members }`. See
    ///     ``FetchRequest/prefetching(_:)``.
    ///   - context: The context of the objects.
    ///   - condition: The condition. Without a condition, all objects match.
    /// - Throws: ``RecordStackError/Code/misuse`` for a condition or sort key that names no
    ///   declared property, and for a negative limit or offset. Also any error of the store.
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

    /// Returns the first object that matches a condition, or nil if there is none.
    public static func findFirst(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Self? {
        try context.findFirst(request(filter, sortKeys, condition))
    }

    /// Returns the first object whose attribute equals a value, or nil if there is none.
    ///
    /// ```swift
    /// let ann = try Person.findFirst(by: \.email, "ann@example.org", in: context)
    /// ```
    public static func findFirst<Value: AttributeValue>(
        by keyPath: KeyPath<Self, Value>, _ value: Value, in context: ManagedObjectContext
    ) throws -> Self? {
        try context.findFirst(by: keyPath, value)
    }

    /// Returns the first object whose attribute equals a value, or creates such an object.
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

    /// Returns the object that has an ID, and loads its values.
    ///
    /// - Throws: ``RecordStackError/Code/notFound`` if no object of this entity has the ID.
    public static func existing(
        _ id: ManagedObjectID, in context: ManagedObjectContext
    ) throws -> Self {
        try context.existingObject(id, as: Self.self)
    }

    /// Returns the number of objects that match a condition, without creating objects.
    public static func count(
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Int {
        try context.count(request(filter, [], condition))
    }

    /// Returns true if any object matches a condition, without creating objects.
    public static func exists(
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Bool {
        try context.exists(request(filter, [], condition))
    }

    /// Returns a page of the objects that match a condition.
    ///
    /// ```swift
    /// let page = try Person.page(2, size: 25, sortedBy: .ascending(\.name), in: context)
    /// ```
    ///
    /// Pages are numbered from 1. Page 0 and pages past the end are empty. A page has at most
    /// `size` objects, and the size must be at least 1.
    public static func page(
        _ number: Int, size: Int, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Page<Self> {
        try context.page(number, size: size, of: request(filter, sortKeys, condition))
    }

    /// Returns the only object that matches a condition.
    ///
    /// ```swift
    /// let ann = try Person.one(in: context) { $0.email == "ann@example.org" }
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/notFound`` if no object matches,
    ///   ``RecordStackError/Code/notUnique`` if several objects match, and any error of a fetch.
    public static func one(
        matching filter: Filter = .all, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Self {
        try context.one(request(filter, [], condition))
    }
}

extension ManagedEntity {
    /// Returns a request for the objects that match both a filter and a closure.
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
