public import RecordStackGraph
public import RecordStackModel

// A change of many objects at once, in a transaction of its own. Conditions are evaluated at once, in the
// caller's isolation; what they make is a value.
extension ContextStack {
    /// Deletes all objects for which a condition is true, at once and in a transaction of its own.
    ///
    /// ```swift
    /// let count = try await stack.delete(Person.self) { $0.age < 18 }
    /// ```
    ///
    /// The delete rules of relationships hold, and life-cycle hooks are called, as in a save block. Where an
    /// entity has neither, no object is made and one statement deletes all of them. The condition is about
    /// what is stored: changes that a context has not saved are not looked at. What a context has changed of
    /// a deleted object is in conflict from then on.
    ///
    /// Every context learns of it, as of a save. It takes its turn with the stack's save blocks.
    ///
    /// - Returns: how many objects the condition was true for.
    /// - Throws: ``RecordStackError/Code/deletionDenied``; ``RecordStackError/Code/misuse`` inside of a save
    ///   block; what the store says; and `CancellationError` where the task was cancelled before anything was
    ///   written. Nothing is deleted then.
    @discardableResult
    public func delete<Entity: ManagedObject>(
        _ type: Entity.Type, options: SaveOptions = [],
        isolation: isolated (any Actor)? = #isolation,
        @FilterBuilder where condition: (FilterProxy<Entity>) -> Filter
    ) async throws -> Int {
        try await delete(Entity.where(condition), options: options, isolation: isolation)
    }

    /// Deletes the objects of a request, at once and in a transaction of its own; see
    /// ``delete(_:options:isolation:where:)``.
    @discardableResult
    public func delete<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, options: SaveOptions = [],
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Int {
        try await perform(
            .deletion(of: request), options, named: "stack.delete", isolation: isolation)
    }

    /// Deletes all objects of an entity, and of those that inherit from it, at once and in a transaction of its
    /// own; see ``delete(_:options:isolation:where:)``.
    ///
    /// ```swift
    /// try await stack.deleteAll(Person.self)
    /// ```
    @discardableResult
    public func deleteAll<Entity: ManagedObject>(
        _ type: Entity.Type, options: SaveOptions = [],
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Int {
        try await delete(Entity.all, options: options, isolation: isolation)
    }

    /// Gives all objects for which a condition is true new values, at once and in a transaction of its own.
    ///
    /// ```swift
    /// try await stack.update(Person.self, set: {
    ///     $0.visits += 1
    ///     $0.name.set(to: $0.name.lowercased())
    /// }) { $0.age >= 18 }
    /// ```
    ///
    /// No object is made, and one statement changes all of them, unless a relationship is set or the entity has
    /// hooks for updates: then each object is changed as in a save block. The rules of attributes hold.
    /// The condition and the old values are those that are stored. A row counts as changed although its new
    /// values are its old ones.
    ///
    /// Every context learns of it, as of a save, and a property that was changed in a context and here is in
    /// conflict there. Past 20,000 rows a context looks at what it holds when its next operation begins.
    ///
    /// - Parameters:
    ///   - assignments: what to set: ``FilterExpression/set(to:)-(Value)``, or `+=`, `-=`, `*=`.
    ///   - condition: which objects; all where there is none.
    /// - Returns: how many objects the condition was true for.
    /// - Throws: ``RecordStackError/Code/validation`` for a value that breaks a rule or is none of its attribute;
    ///   ``RecordStackError/Code/constraint`` where a value has to be unique;
    ///   ``RecordStackError/Code/misuse`` for a property that cannot be set, and inside of a save block; what
    ///   the store says; and `CancellationError`. Nothing is changed then.
    @discardableResult
    public func update<Entity: ManagedObject>(
        _ type: Entity.Type,
        @AssignmentBuilder set assignments: (FilterProxy<Entity>) -> [Assignment],
        options: SaveOptions = [], isolation: isolated (any Actor)? = #isolation,
        @FilterBuilder where condition: (FilterProxy<Entity>) -> Filter = { _ in .all }
    ) async throws -> Int {
        try await update(
            Entity.where(condition), set: assignments, options: options, isolation: isolation)
    }

    /// Gives the objects of a request new values, at once and in a transaction of its own; see
    /// ``update(_:set:options:isolation:where:)``.
    @discardableResult
    public func update<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>,
        @AssignmentBuilder set assignments: (FilterProxy<Entity>) -> [Assignment],
        options: SaveOptions = [], isolation: isolated (any Actor)? = #isolation
    ) async throws -> Int {
        try await perform(
            .update(of: request, assignments(FilterProxy())), options, named: "stack.update",
            isolation: isolation)
    }
}

// The waiting forms.
extension ContextStack {
    /// Deletes as ``delete(_:options:isolation:where:)`` does, and waits for it.
    @available(*, noasync, message: "Use delete, which does not block the thread.")
    @discardableResult
    public func deleteAndWait<Entity: ManagedObject>(
        _ type: Entity.Type, options: SaveOptions = [],
        @FilterBuilder where condition: (FilterProxy<Entity>) -> Filter
    ) throws -> Int {
        try deleteAndWait(Entity.where(condition), options: options)
    }

    /// Deletes as ``delete(_:options:isolation:)`` does, and waits for it.
    @available(*, noasync, message: "Use delete, which does not block the thread.")
    @discardableResult
    public func deleteAndWait<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, options: SaveOptions = []
    ) throws -> Int {
        try performAndWait(.deletion(of: request), options, named: "stack.deleteAndWait")
    }

    /// Deletes as ``deleteAll(_:options:isolation:)`` does, and waits for it.
    @available(*, noasync, message: "Use deleteAll, which does not block the thread.")
    @discardableResult
    public func deleteAllAndWait<Entity: ManagedObject>(
        _ type: Entity.Type, options: SaveOptions = []
    ) throws -> Int { try deleteAndWait(Entity.all, options: options) }

    /// Changes objects as ``update(_:set:options:isolation:where:)`` does, and waits for it.
    @available(*, noasync, message: "Use update, which does not block the thread.")
    @discardableResult
    public func updateAndWait<Entity: ManagedObject>(
        _ type: Entity.Type,
        @AssignmentBuilder set assignments: (FilterProxy<Entity>) -> [Assignment],
        options: SaveOptions = [],
        @FilterBuilder where condition: (FilterProxy<Entity>) -> Filter = { _ in .all }
    ) throws -> Int {
        try updateAndWait(Entity.where(condition), set: assignments, options: options)
    }

    /// Changes objects as ``update(_:set:options:isolation:)`` does, and waits for it.
    @available(*, noasync, message: "Use update, which does not block the thread.")
    @discardableResult
    public func updateAndWait<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>,
        @AssignmentBuilder set assignments: (FilterProxy<Entity>) -> [Assignment],
        options: SaveOptions = []
    ) throws -> Int {
        try performAndWait(
            .update(of: request, assignments(FilterProxy())), options,
            named: "stack.updateAndWait")
    }
}
