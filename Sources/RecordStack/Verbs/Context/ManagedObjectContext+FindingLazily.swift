public import RecordStackGraph
public import RecordStackModel

extension ManagedObjectContext {
    /// The objects of a request, loaded batch by batch when they are touched.
    ///
    /// ```swift
    /// let people = try context.findLazily(Person.where { $0.isActive }, batch: 100)
    /// ```
    ///
    /// - Parameters:
    ///   - request: which objects, with what is changed in memory.
    ///   - size: how many objects are loaded with one statement, at least 1.
    /// - Throws: ``RecordStackError/Code/misuse`` for a size below 1, and what ``find(_:)`` throws.
    public func findLazily<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, batch size: Int = 100
    ) throws -> LazyResults<Entity> {
        try queries.findLazily(
            storeRequest(request), batch: size, prefetching: request.prefetches, as: Entity.self)
    }
}
