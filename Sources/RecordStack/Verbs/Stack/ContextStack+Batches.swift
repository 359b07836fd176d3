public import RecordStackGraph
public import RecordStackModel

// Changes to many objects at once, in a separate transaction.
extension ContextStack {
    /// Deletes the objects of a request immediately, in a separate transaction.
    ///
    /// ```swift
    /// let count = try await stack.delete(Person.where { $0.age < 18 })
    /// try await stack.delete(Team.all)
    /// ```
    ///
    /// The call applies the delete rules of relationships and calls life-cycle hooks, like a save
    /// block. If the entity has neither, the call creates no objects, and one statement deletes all
    /// rows. The request sees only what is stored, without the unsaved changes of contexts. If a
    /// context has unsaved changes of a deleted object, its next save is a conflict.
    ///
    /// Every context merges the deletion like a save. The call waits for its turn among the save
    /// blocks of the stack.
    ///
    /// - Returns: The number of objects of the request.
    /// - Throws: ``RecordStackError/Code/deletionDenied``; ``RecordStackError/Code/misuse`` inside
    ///   a save block; any error of the store; and `CancellationError` if the task is cancelled
    ///   before the call writes anything. If the call throws, it has deleted nothing.
    @discardableResult
    public func delete<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, options: SaveOptions = [],
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Int {
        try await perform(
            .deletion(of: request), options, named: "stack.delete", isolation: isolation)
    }

    /// Sets new values for the objects of a request immediately, in a separate transaction.
    ///
    /// ```swift
    /// try await stack.update(Person.where { $0.age >= 18 }) {
    ///     $0.visits += 1
    ///     $0.name.set(to: $0.name.lowercased())
    /// }
    /// ```
    ///
    /// The call creates no objects, and one statement changes all rows. If you set a relationship,
    /// or if the entity has hooks for updates, the call changes each object like a save block
    /// instead. Validation rules of attributes apply. The condition of the request and the old
    /// values are those in the store. A row counts as changed even if its new values equal the old
    /// ones.
    ///
    /// Every context merges the update like a save. A property that both the call and a context
    /// have changed is in conflict in that context. If the update changes more than 20,000 rows,
    /// each context compares the objects that it holds with the store at its next operation.
    ///
    /// - Parameters:
    ///   - request: The request for the objects.
    ///   - assignments: The values to set: ``FilterExpression/set(to:)-(Value)``, or `+=`, `-=`,
    ///     `*=`. The closure runs immediately, in the caller's isolation, and its result is a
    ///     value.
    /// - Returns: The number of objects of the request.
    /// - Throws: ``RecordStackError/Code/validation`` for a value that breaks a rule or that the
    ///   attribute cannot have; ``RecordStackError/Code/constraint`` for a duplicate of a unique
    ///   value; ``RecordStackError/Code/misuse`` for a property that cannot be set, and inside a
    ///   save block; any error of the store; and `CancellationError`. If the call throws, it has
    ///   changed nothing.
    @discardableResult
    public func update<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, options: SaveOptions = [],
        isolation: isolated (any Actor)? = #isolation,
        @AssignmentBuilder set assignments: (FilterProxy<Entity>) -> [Assignment]
    ) async throws -> Int {
        try await perform(
            .update(of: request, assignments(FilterProxy())), options, named: "stack.update",
            isolation: isolation)
    }
}

// The blocking forms.
extension ContextStack {
    /// Deletes the objects of a request, and blocks the thread.
    ///
    /// Works like ``delete(_:options:isolation:)``.
    @available(*, noasync, message: "Use delete, which does not block the thread.")
    @discardableResult
    public func deleteAndWait<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, options: SaveOptions = []
    ) throws -> Int {
        try performAndWait(.deletion(of: request), options, named: "stack.deleteAndWait")
    }

    /// Sets new values for the objects of a request, and blocks the thread.
    ///
    /// Works like ``update(_:options:isolation:set:)``.
    @available(*, noasync, message: "Use update, which does not block the thread.")
    @discardableResult
    public func updateAndWait<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, options: SaveOptions = [],
        @AssignmentBuilder set assignments: (FilterProxy<Entity>) -> [Assignment]
    ) throws -> Int {
        try performAndWait(
            .update(of: request, assignments(FilterProxy())), options,
            named: "stack.updateAndWait")
    }
}
