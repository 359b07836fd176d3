package import FoundationEssentials

/// A request for objects: an entity, a filter, sort keys, a limit and an offset.
///
/// ```swift
/// let request = Person.where { $0.age >= 18 }.sorted(by: .ascending(\.name)).limited(to: 10)
/// let people = try context.find(request)
/// let number = try context.count(request)
/// ```
///
/// A request is a value. You can keep it, pass it to another isolation, and run it in any context.
public struct FetchRequest<Entity: ManagedEntity>: Sendable, Hashable {
    /// The condition, or nil for all objects.
    public var filter: Filter?
    /// The sort keys.
    ///
    /// Without sort keys, objects are sorted by ID, which is nearly the order in which they were
    /// created.
    public var sortKeys: [SortKey<Entity>]
    /// The maximum number of objects, or nil for no limit.
    public var limit: Int?
    /// The number of objects to skip at the start.
    public var offset: Int
    /// Whether the results include objects of entities that inherit from the entity.
    public var includesSubentities: Bool
    /// The relationships whose objects the request loads together with its results.
    public var prefetches: [Prefetch] = []

    /// Creates a request, which finds all objects of the entity if you pass no arguments.
    public init(
        filter: Filter? = nil, sortKeys: [SortKey<Entity>] = [], limit: Int? = nil,
        offset: Int = 0, includesSubentities: Bool = true
    ) {
        self.filter = filter
        self.sortKeys = sortKeys
        self.limit = limit
        self.offset = offset
        self.includesSubentities = includesSubentities
    }

    /// Adds a condition that the objects must also satisfy.
    public func `where`(@FilterBuilder _ condition: (FilterProxy<Entity>) -> Filter) -> Self {
        var copy = self
        let added = condition(FilterProxy())
        copy.filter = filter.map { $0 && added } ?? added
        return copy
    }

    /// Adds a filter that the objects must also match.
    public func `where`(_ filter: Filter) -> Self {
        `where` { _ in filter }
    }

    /// Replaces the sort keys of the request.
    ///
    /// ```swift
    /// let request = Person.all.sorted(by: [.ascending(\.name), .descending(\.age)])
    /// let others = Person.all.sorted(by: .ascending(\.name))
    /// ```
    public func sorted(by keys: [SortKey<Entity>]) -> Self {
        var copy = self
        copy.sortKeys = keys
        return copy
    }

    /// Limits the request to the first `limit` objects.
    public func limited(to limit: Int) -> Self {
        var copy = self
        copy.limit = limit
        return copy
    }

    /// Skips the first `offset` objects.
    public func offset(by offset: Int) -> Self {
        var copy = self
        copy.offset = offset
        return copy
    }

    /// Excludes the objects of entities that inherit from the entity.
    ///
    /// ```swift
    /// let plain = try context.find(Employee.where { $0.age > 60 }.excludingSubentities())
    /// ```
    ///
    /// The request finds nothing if the entity is abstract, because an abstract entity has no
    /// objects.
    public func excludingSubentities() -> Self {
        var copy = self
        copy.includesSubentities = false
        return copy
    }

    /// Returns the request in the form that a store executes.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a negative limit or offset, and for a filter
    ///   or sort key that does not name a property.
    package func storeRequest(
        in model: ManagedObjectModel, store: UUID
    ) throws -> StoreRequest {
        if (limit ?? 0) < 0 || offset < 0 {
            throw RecordStackError(
                .misuse, "The limit and the offset of a request cannot be negative.")
        }
        for key in sortKeys where !key.term.problem.isEmpty {
            throw RecordStackError(.misuse, key.term.problem)
        }
        let description = Entity.entityDescription
        try filter?.check(asking: description)
        for key in sortKeys { try key.term.operand.check(asking: description) }
        var request = StoreRequest(
            entity: try model.requireIndex(of: description),
            filter: try resolvedFilter(in: store),
            sort: try sortKeys.map { try $0.term.resolved(in: store) },
            limit: limit, offset: offset)
        // If no entity inherits from this one, both values mean the same request.
        request.includesSubentities =
            includesSubentities || model.modelEntities[request.entity].kinds.count == 1
        return request
    }

    private func resolvedFilter(in store: UUID) throws -> Filter.Node? {
        guard let filter else { return nil }
        let node = try filter.node.resolved(in: store, asking: Entity.entityDescription)
        // A format string adds its own levels to the filter that contains it.
        if node.levels > FilterLevels.most {
            throw RecordStackError(.misuse, FilterLevels.message)
        }
        return node
    }
}

extension ManagedEntity {
    /// Creates a request for the objects that satisfy a condition.
    ///
    /// ```swift
    /// let request = Person.where { $0.age >= 18 }.sorted(by: .ascending(\.name))
    /// ```
    public static func `where`(@FilterBuilder _ condition: (FilterProxy<Self>) -> Filter)
        -> FetchRequest<Self>
    {
        FetchRequest(filter: condition(FilterProxy()))
    }

    /// Creates a request for the objects that match a filter.
    ///
    /// ```swift
    /// let person = FilterProxy<Person>()
    /// let isAdult = person.age >= 18
    /// let adults = try context.find(Person.where(isAdult))
    /// let others = try context.count(Person.where(!isAdult))
    /// ```
    public static func `where`(_ filter: Filter) -> FetchRequest<Self> {
        FetchRequest(filter: filter)
    }

    /// A request for all objects of the entity.
    public static var all: FetchRequest<Self> { FetchRequest() }
}
