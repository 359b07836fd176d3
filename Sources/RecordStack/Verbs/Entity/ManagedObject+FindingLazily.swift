public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// The objects for which a condition is true, loaded batch by batch when they are touched.
    ///
    /// ```swift
    /// let people = try Person.findLazily(batch: 100, sortedBy: .ascending(\.name), in: context) {
    ///     $0.isActive
    /// }
    /// for person in people[4_000..<4_010] { print(person.name) }      // one statement
    /// ```
    ///
    /// - Parameters:
    ///   - size: how many objects are loaded with one statement, at least 1.
    ///   - filter: a condition that was made before; where there is a closure as well, both must be true.
    ///   - sortKeys: what to sort by; without, objects come in the order of their IDs.
    ///   - limit: how many at most.
    ///   - offset: how many to leave out at the beginning.
    ///   - context: where the objects are to live.
    ///   - condition: which objects; all without one.
    /// - Throws: ``RecordStackError/Code/misuse`` for a size below 1, and what finding throws.
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
