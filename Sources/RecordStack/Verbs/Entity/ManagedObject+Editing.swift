public import RecordStackGraph
public import RecordStackModel

// This is an extension of the class, not of the protocol. If all parameters of an entity's own
// `create` and of its superentity's `create` have defaults, a call of `create(in:)` has three
// candidates. The compiler picks this one only because it is a member of the class.
extension ManagedObject {
    /// Creates an object with the declared defaults.
    ///
    /// ```swift
    /// let person = try Person.create(in: context)
    /// person.email = "ann@example.org"
    /// ```
    ///
    /// Set the required properties before you save the context. Otherwise the save throws
    /// ``RecordStackError/Code/validation``. The `@Entity` macro adds another form of `create`,
    /// with a parameter for each property. A call of that form does not compile without the
    /// required values.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an abstract entity, and any other error of
    ///   ``ManagedObjectContext/create(_:)``.
    @discardableResult
    public static func create(in context: ManagedObjectContext) throws -> Self {
        try context.create(Self.self)
    }
}

extension ManagedEntity where Self: ManagedObject {
    /// Marks the objects that match a condition for deletion by the next save.
    ///
    /// ```swift
    /// try Person.delete(in: context) { $0.age < 18 }
    /// ```
    ///
    /// - Returns: The number of objects that match.
    @discardableResult
    public static func delete(
        in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter
    ) throws -> Int {
        try context.delete(Self.where(condition))
    }

    /// Marks the objects that match a filter for deletion by the next save.
    ///
    /// ```swift
    /// try Person.delete(matching: .format("team.title IN %@", ["A", "B"]), in: context)
    /// ```
    ///
    /// - Returns: The number of objects that match.
    @discardableResult
    public static func delete(
        matching filter: Filter, in context: ManagedObjectContext
    ) throws -> Int {
        try context.delete(Self.where(filter))
    }

    /// Marks all objects of the entity for deletion by the next save.
    ///
    /// - Returns: The number of objects.
    @discardableResult
    public static func deleteAll(in context: ManagedObjectContext) throws -> Int {
        try context.delete(Self.all)
    }
}

extension ManagedEntity where Self: ManagedObject {
    /// The current values of the object, which you can pass out of its context.
    ///
    /// ```swift
    /// let ann = try await stack.read { context in
    ///     try Person.findFirst(by: \.email, "ann@example.org", in: context)?.snapshot
    /// }
    /// ```
    ///
    /// The snapshot includes the members of many-to-many relationships, which
    /// ``ManagedObjectContext/restore(_:)`` needs. For each such relationship whose members are not
    /// loaded, creating the snapshot costs one statement. The snapshots that
    /// ``snapshots(matching:sortedBy:limit:offset:in:where:)`` returns do not include members.
    ///
    /// - Throws: ``RecordStackError/Code/validation`` if a required property of a new object was
    ///   never set, and any error of ``ManagedObject/load()``.
    public var snapshot: Snapshot<Self> {
        get throws { try makeSnapshot(includesMembers: true) }
    }

    /// Returns snapshots of the objects that match a condition.
    ///
    /// ```swift
    /// let people = try Person.snapshots(in: context) { $0.age >= 18 }
    /// ```
    ///
    /// The snapshots do not include the members of relationships. The call creates no objects,
    /// unless the request depends on unsaved changes of the context.
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
    /// Returns snapshots of the objects, without the members of relationships.
    ///
    /// - Throws: Any error of ``ManagedEntity/snapshot``.
    public func snapshots() throws -> [Snapshot<Element>] {
        try map { try $0.makeSnapshot() }
    }
}
