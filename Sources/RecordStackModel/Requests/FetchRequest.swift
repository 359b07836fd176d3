package import FoundationEssentials

/// What to look for: an entity, a filter, sort keys, and which of the results.
///
/// ```swift
/// let request = Person.where { $0.age >= 18 }.sorted(by: .ascending(\.name)).limited(to: 10)
/// let people = try context.find(request)
/// let number = try context.count(request)
/// ```
///
/// A request is a value: it can be kept, passed to another isolation, and run in any context.
public struct FetchRequest<Entity: ManagedEntity>: Sendable, Hashable {
    /// The condition; nil for all objects.
    public var filter: Filter?
    /// What to sort by; without a key, objects come in the order of their IDs, which is nearly that
    /// of their creation.
    public var sortKeys: [SortKey<Entity>]
    /// How many objects at most; nil for all.
    public var limit: Int?
    /// How many objects to leave out at the beginning.
    public var offset: Int
    /// Whether objects of entities that inherit from the entity are among the results.
    public var includesSubentities: Bool
    /// What to load along with the objects.
    public var prefetches: [Prefetch] = []

    /// A request for all objects of the entity.
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

    /// The objects of this request for which another condition is true as well.
    public func `where`(@FilterBuilder _ condition: (FilterProxy<Entity>) -> Filter) -> Self {
        var copy = self
        let added = condition(FilterProxy())
        copy.filter = filter.map { $0 && added } ?? added
        return copy
    }

    /// The objects of this request for which a filter is true as well.
    public func `where`(_ filter: Filter) -> Self {
        `where` { _ in filter }
    }

    /// The same objects in another order.
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

    /// The first so many of the objects.
    public func limited(to limit: Int) -> Self {
        var copy = self
        copy.limit = limit
        return copy
    }

    /// The objects without the first so many.
    public func offset(by offset: Int) -> Self {
        var copy = self
        copy.offset = offset
        return copy
    }

    /// The objects of the entity itself, without those of entities that inherit from it.
    ///
    /// ```swift
    /// let plain = try context.find(Employee.where { $0.age > 60 }.excludingSubentities())
    /// ```
    ///
    /// Of an abstract entity there are none.
    public func excludingSubentities() -> Self {
        var copy = self
        copy.includesSubentities = false
        return copy
    }

    /// What a store needs of the request.
    /// - Throws: ``RecordStackError/Code/misuse`` for a negative limit or offset, and for a filter
    ///   or sort key that names no property.
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
        // Where nothing inherits from the entity, both are the same request.
        request.includesSubentities =
            includesSubentities || model.modelEntities[request.entity].kinds.count == 1
        return request
    }

    private func resolvedFilter(in store: UUID) throws -> Filter.Node? {
        guard let filter else { return nil }
        let node = try filter.node.resolved(in: store, asking: Entity.entityDescription)
        // What a format string has adds to what stands around it.
        if node.levels > FilterLevels.most {
            throw RecordStackError(.misuse, FilterLevels.message)
        }
        return node
    }
}

extension ManagedEntity {
    /// The objects for which a condition is true, as a request.
    ///
    /// ```swift
    /// let request = Person.where { $0.age >= 18 }.sorted(by: .ascending(\.name))
    /// ```
    public static func `where`(@FilterBuilder _ condition: (FilterProxy<Self>) -> Filter)
        -> FetchRequest<Self>
    {
        FetchRequest(filter: condition(FilterProxy()))
    }

    /// A request for the objects for which a filter is true that was made before.
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

    /// All objects of the entity, as a request.
    public static var all: FetchRequest<Self> { FetchRequest() }
}
