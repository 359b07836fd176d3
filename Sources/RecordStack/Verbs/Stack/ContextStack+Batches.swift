public import RecordStackGraph
public import RecordStackModel

// A change of many objects at once, in a transaction of its own.
extension ContextStack {
    /// Deletes the objects of a request, at once and in a transaction of its own.
    ///
    /// ```swift
    /// let count = try await stack.delete(Person.where { $0.age < 18 })
    /// try await stack.delete(Team.all)
    /// ```
    ///
    /// The delete rules of relationships hold, and life-cycle hooks are called, as in a save block. Where an
    /// entity has neither, no object is made and one statement deletes all of them. The request is about
    /// what is stored: changes that a context has not saved are not looked at. What a context has changed of
    /// a deleted object is in conflict from then on.
    ///
    /// Every context learns of it, as of a save. It takes its turn with the stack's save blocks.
    ///
    /// - Returns: how many objects there were.
    /// - Throws: ``RecordStackError/Code/deletionDenied``; ``RecordStackError/Code/misuse`` inside of a save
    ///   block; what the store says; and `CancellationError` where the task was cancelled before anything was
    ///   written. Nothing is deleted then.
    @discardableResult
    public func delete<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, options: SaveOptions = [],
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Int {
        try await perform(
            .deletion(of: request), options, named: "stack.delete", isolation: isolation)
    }

    /// Gives the objects of a request new values, at once and in a transaction of its own.
    ///
    /// ```swift
    /// try await stack.update(Person.where { $0.age >= 18 }) {
    ///     $0.visits += 1
    ///     $0.name.set(to: $0.name.lowercased())
    /// }
    /// ```
    ///
    /// No object is made, and one statement changes all of them, unless a relationship is set or the entity has
    /// hooks for updates: then each object is changed as in a save block. The rules of attributes hold.
    /// The request's condition and the old values are those that are stored. A row counts as changed although
    /// its new values are its old ones.
    ///
    /// Every context learns of it, as of a save, and a property that was changed in a context and here is in
    /// conflict there. Past 20,000 rows a context looks at what it holds when its next operation begins.
    ///
    /// - Parameters:
    ///   - request: which objects.
    ///   - assignments: what to set: ``FilterExpression/set(to:)-(Value)``, or `+=`, `-=`, `*=`. They are read
    ///     at once, in the caller's isolation; what they make is a value.
    /// - Returns: how many objects there were.
    /// - Throws: ``RecordStackError/Code/validation`` for a value that breaks a rule or is none of its attribute;
    ///   ``RecordStackError/Code/constraint`` where a value has to be unique;
    ///   ``RecordStackError/Code/misuse`` for a property that cannot be set, and inside of a save block; what
    ///   the store says; and `CancellationError`. Nothing is changed then.
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

// The waiting forms.
extension ContextStack {
    /// Deletes as ``delete(_:options:isolation:)`` does, and waits for it.
    @available(*, noasync, message: "Use delete, which does not block the thread.")
    @discardableResult
    public func deleteAndWait<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, options: SaveOptions = []
    ) throws -> Int {
        try performAndWait(.deletion(of: request), options, named: "stack.deleteAndWait")
    }

    /// Changes objects as ``update(_:options:isolation:set:)`` does, and waits for it.
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
