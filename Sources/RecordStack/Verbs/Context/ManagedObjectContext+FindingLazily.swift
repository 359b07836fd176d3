public import RecordStackGraph
public import RecordStackModel

extension ManagedObjectContext {
    /// Returns the objects of a request, loaded in batches as you access them.
    ///
    /// ```swift
    /// let people = try context.findLazily(Person.where { $0.isActive }, batch: 100)
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request for the objects. The result includes unsaved changes of the
    ///     context.
    ///   - size: The number of objects that one statement loads, at least 1.
    /// - Throws: ``RecordStackError/Code/misuse`` for a size below 1, and any error of
    ///   ``find(_:)``.
    public func findLazily<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, batch size: Int = 100
    ) throws -> LazyResults<Entity> {
        try queries.findLazily(
            storeRequest(request), batch: size, prefetching: request.prefetches, as: Entity.self)
    }
}
