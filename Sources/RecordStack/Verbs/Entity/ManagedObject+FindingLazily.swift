public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Returns the objects that match a condition, loaded in batches as you access them.
    ///
    /// ```swift
    /// let people = try Person.findLazily(batch: 100, sortedBy: .ascending(\.name), in: context) {
    ///     $0.isActive
    /// }
    /// for person in people[4_000..<4_010] { print(person.name) }      // one statement
    /// ```
    ///
    /// - Parameters:
    ///   - size: The number of objects that one statement loads, at least 1.
    ///   - filter: A filter that you built earlier. If you also pass a closure, objects must match
    ///     both.
    ///   - sortKeys: The sort order. By default, objects are sorted by ID.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    ///   - context: The context of the objects.
    ///   - condition: The condition. Without a condition, all objects match.
    /// - Throws: ``RecordStackError/Code/misuse`` for a size below 1, and any error of a fetch.
    public static func findLazily(
        batch size: Int = 100, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], limit: Int? = nil, offset: Int = 0,
        in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> LazyResults<Self> {
        try context.findLazily(
            request(filter, sortKeys, limit: limit, offset: offset, condition), batch: size)
    }
}
