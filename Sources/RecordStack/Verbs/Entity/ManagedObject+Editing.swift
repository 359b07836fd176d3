public import RecordStackGraph
public import RecordStackModel

// Of the class and not of the protocol: where an entity and its superentity have defaults for all that
// their own `create` takes, only so is this one the best of the three.
extension ManagedObject {
    /// Makes a new object with the declared defaults.
    ///
    /// ```swift
    /// let person = try Person.create(in: context)
    /// person.email = "ann@example.org"
    /// ```
    ///
    /// Set what is required before the save, which throws ``RecordStackError/Code/validation`` otherwise. The form that
    /// the macro adds, with a parameter for each property, does not compile without what is required.
    ///
    /// - Throws: what ``ManagedObjectContext/create(_:)`` throws: for an abstract entity
    ///   ``RecordStackError/Code/misuse``.
    @discardableResult
    public static func create(in context: ManagedObjectContext) throws -> Self {
        try context.create(Self.self)
    }
}

extension ManagedEntity where Self: ManagedObject {
    /// Marks the objects for which a condition is true for deletion by the next save.
    ///
    /// ```swift
    /// try Person.delete(in: context) { $0.age < 18 }
    /// ```
    ///
    /// - Returns: how many there were.
    @discardableResult
    public static func delete(
        in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter
    ) throws -> Int {
        try context.delete(Self.where(condition))
    }

    /// Marks the objects for which a filter is true for deletion by the next save.
    ///
    /// ```swift
    /// try Person.delete(matching: .format("team.title IN %@", ["A", "B"]), in: context)
    /// ```
    ///
    /// - Returns: how many there were.
    @discardableResult
    public static func delete(
        matching filter: Filter, in context: ManagedObjectContext
    ) throws -> Int {
        try context.delete(Self.where(filter))
    }

    /// Marks all objects of the entity for deletion by the next save.
    /// - Returns: how many there were.
    @discardableResult
    public static func deleteAll(in context: ManagedObjectContext) throws -> Int {
        try context.delete(Self.all)
    }
}

extension ManagedEntity where Self: ManagedObject {
    /// The values of the object as they are now, to take out of its context.
    ///
    /// ```swift
    /// let ann = try await stack.read { context in
    ///     try Person.findFirst(by: \.email, "ann@example.org", in: context)?.snapshot
    /// }
    /// ```
    ///
    /// The snapshot keeps the members of relationships in which both sides have many, for
    /// ``ManagedObjectContext/restore(_:)``; each whose members are not loaded costs a statement.
    /// ``snapshots(matching:sortedBy:limit:offset:in:where:)`` does not.
    ///
    /// - Throws: ``RecordStackError/Code/validation`` where a required attribute was never set, and
    ///   what ``ManagedObject/load()`` throws.
    public var snapshot: Snapshot<Self> {
        get throws { try makeSnapshot(includesMembers: true) }
    }

    /// The values of the objects for which a condition is true. Makes no objects where nothing is
    /// changed in memory.
    ///
    /// ```swift
    /// let people = try Person.snapshots(in: context) { $0.age >= 18 }
    /// ```
    public static func snapshots(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        limit: Int? = nil, offset: Int = 0, in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> [Snapshot<Self>] {
        let request = request(filter, sortKeys, limit: limit, offset: offset, condition)
        return try context.queries.snapshots(
            context.storeRequest(request), as: Self.self)
    }
}

extension Sequence where Element: ManagedObject {
    /// The values of the objects as they are now, to take out of their context, without members of relationships.
    /// - Throws: what ``ManagedEntity/snapshot`` throws.
    public func snapshots() throws -> [Snapshot<Element>] {
        try map { try $0.makeSnapshot() }
    }
}
