import RecordStackModel

extension ManagedObjectContext {
    /// Extracts new objects from the context, with all new objects related to them at any distance.
    ///
    /// ```swift
    /// let graph = try form.extract(order)
    /// try other.insert(graph)
    /// let orderThere = try Order.existing(graph.objectIDs[0], in: other)
    /// ```
    ///
    /// The objects are detached from this context, as after ``rollback()``. References of saved
    /// objects to them become nil. The context into which you insert the graph restores their IDs,
    /// values and relationships. The call waits for a running save.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an object of another context, or for a saved
    ///   or deleted object. A call that throws extracts nothing.
    public func extract(_ objects: ManagedObject...) throws -> UnsavedGraph {
        try extract(objects)
    }

    /// Extracts new objects from the context as ``extract(_:)-(ManagedObject...)`` does.
    public func extract(_ objects: some Sequence<ManagedObject>) throws -> UnsavedGraph {
        try enter()
        let use = beginUse()
        defer { endUse(use) }
        try coordinator.hooks.refuse("extract(_:)")
        // Until the objects are extracted, no save may capture them.
        let ticket = try waitForTurn()
        defer { ticket.finish() }
        return try tree.capturing(ticket) { try graphs.takeOut(objects) }
    }
}
