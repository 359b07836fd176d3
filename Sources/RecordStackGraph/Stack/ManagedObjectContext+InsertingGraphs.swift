public import RecordStackModel

extension ManagedObjectContext {
    /// Inserts new objects that were extracted from another context.
    ///
    /// The objects keep their IDs, values and relationships.
    ///
    /// ```swift
    /// let graph = try form.extract(order)                     // objectIDs[0] is the order's
    /// try await stack.saveWithBlock { context in
    ///     try context.insert(graph)
    /// }
    /// ```
    ///
    /// Saved objects that referred to the new objects in the other context also refer to them in
    /// this context. `awakeFromInsert()` is not called again. The call runs one statement for each
    /// hierarchy of related saved objects.
    ///
    /// - Throws: ``RecordStackError/Code/notFound`` if this context does not see a related object.
    ///   Throws ``RecordStackError/Code/misuse`` if the graph comes from another stack, or if its
    ///   objects are already in this context. Also throws the store's errors. A call that throws
    ///   inserts nothing, and you can insert the graph elsewhere.
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
    /// Moves a new object and all related new objects to another context in the same isolation.
    ///
    /// ```swift
    /// let orderThere = try order.move(to: other)
    /// ```
    ///
    /// This object becomes detached. See ``ManagedObjectContext/insert(_:)``.
    ///
    /// - Returns: The object in the other context.
    /// - Throws: The errors of extracting and inserting the objects. If the call throws, the
    ///   objects stay in their context.
    public func move(to context: ManagedObjectContext) throws -> Self {
        guard let origin = managedObjectContext else {
            throw absent("It cannot be moved.")
        }
        if origin === context { return self }
        // Keeps the dirty objects alive in case the graph must be put back. Some of them may be
        // dirty only because they refer to objects of the graph.
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
