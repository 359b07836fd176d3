public import RecordStackModel

extension ManagedObjectContext {
    /// Makes objects that were taken out of another context new objects of this one, with their IDs, values and
    /// relationships.
    ///
    /// ```swift
    /// let graph = try form.extract(order)                     // the first of its objectIDs is the order's
    /// try await stack.saveWithBlock { context in
    ///     try context.insert(graph)
    /// }
    /// ```
    ///
    /// Saved objects that referred to them refer to them here. `awakeFromInsert()` is not called again. One statement
    /// for each kind of saved objects that they are related to.
    ///
    /// - Throws: ``RecordStackError/Code/notFound`` where something that they are related to is not seen in this context;
    ///   ``RecordStackError/Code/misuse`` where they come from another stack's context, or are in this one already;
    ///   and what the store says. Nothing is inserted then, and the graph can be inserted elsewhere.
    public func insert(_ graph: UnsavedGraph) throws {
        try coordinator.hooks.refuse("insert(_:)")
        if graph.coordinator !== coordinator {
            throw RecordStackError(
                .misuse,
                "The objects come from a context of another stack. Hand over snapshots instead: "
                    + "Person.upsert(snapshots, in: context).")
        }
        let use = beginUse()
        defer { endUse(use) }
        let relatives = try reading { _ in
            try graphs.checkArrival(of: graph)
            return try graphs.relatives(of: graph)
        }
        defer { callDueHooks() }
        hooks.holding { graphs.put(graph, beside: relatives) }
    }
}

extension ManagedEntity where Self: ManagedObject {
    /// Moves a new object, with all new objects that it is related to, to another context of the same isolation.
    ///
    /// ```swift
    /// let orderThere = try order.move(to: other)
    /// ```
    ///
    /// This object is detached then. See ``ManagedObjectContext/insert(_:)``.
    /// - Throws: what taking it out and inserting it throw; it is where it was then.
    public func move(to context: ManagedObjectContext) throws -> Self {
        guard let origin = managedObjectContext else {
            throw absent("It cannot be moved.")
        }
        if origin === context { return self }
        // Objects that refer to them are kept: their references may be all that holds some of them.
        let changed = origin.tables.flatMap(\.dirtyObjects)
        let graph = try origin.extract(self)
        do {
            try context.insert(graph)
        } catch {
            withExtendedLifetime(changed) { origin.graphs.putBack(graph) }
            throw error
        }
        return try context.existingObject(objectID, as: Self.self)
    }
}
