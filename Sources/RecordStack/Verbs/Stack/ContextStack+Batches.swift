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
    /// block. If the entity has no relationships and no hooks for deletions, one statement deletes
    /// all rows, and the call creates no objects. The request does not see the unsaved changes of
    /// contexts. If a context has unsaved changes to a deleted object, the next save of that
    /// context finds a conflict.
    ///
    /// Each context merges the deletion in the same way as a save. The call waits until earlier
    /// save blocks of the stack have finished.
    ///
    /// - Returns: The number of objects of the request.
    /// - Throws: ``RecordStackError/Code/deletionDenied``; ``RecordStackError/Code/misuse`` inside
    ///   a save block; any error of the store; and `CancellationError` if the task is cancelled
    ///   before the call writes anything. If the call throws an error other than
    ///   ``RecordStackError/Code/outcomeUnknown``, it has deleted nothing.
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
    /// One statement changes all rows, and the call creates no objects. If you set a relationship,
    /// or if the entity has hooks for updates, the call instead changes the objects one by one,
    /// like a save block. The call checks the validation rules of attributes. The request and the
    /// expressions for new values read stored values, without unsaved changes of contexts. The call
    /// updates every row of the request, even if the new values equal the old values.
    ///
    /// Each context merges the update in the same way as a save. If the call and a context have
    /// both changed a property, the next save of that context finds a conflict. After an update of
    /// more than 20,000 rows, the next operation of each context compares the context's objects
    /// with the store.
    ///
    /// - Parameters:
    ///   - request: The request for the objects.
    ///   - options: The options of the save, such as `.durable`.
    ///   - isolation: The caller's isolation. Keep the default.
    ///   - assignments: The values to set: ``FilterExpression/set(to:)-(Value)``, or `+=`, `-=`,
    ///     `*=`. The closure runs immediately, in the caller's isolation.
    /// - Returns: The number of objects of the request.
    /// - Throws: ``RecordStackError/Code/validation`` for a value that breaks a rule or that the
    ///   attribute cannot have; ``RecordStackError/Code/constraint`` if two objects would have the
    ///   same unique value; ``RecordStackError/Code/misuse`` for a property that cannot be set, and
    ///   inside a save block; any error of the store; and `CancellationError`. If the call throws
    ///   an error other than ``RecordStackError/Code/outcomeUnknown``, it has changed nothing.
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
