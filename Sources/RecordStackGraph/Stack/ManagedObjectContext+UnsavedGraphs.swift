import RecordStackModel

extension ManagedObjectContext {
    /// Extracts new objects, with all new objects that are related to them directly or indirectly.
    ///
    /// ```swift
    /// let graph = try form.extract(order)
    /// try other.insert(graph)
    /// let orderThere = try Order.existing(graph.objectIDs[0], in: other)
    /// ```
    ///
    /// In this context, the objects become detached, as after ``rollback()``. The references of
    /// saved objects to them become nil. When you insert the graph into another context, the
    /// objects get their IDs, values and relationships back. If a save is running, the call waits
    /// for it.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an object of another context, or for a saved
    ///   or deleted object. A call that throws extracts nothing.
    public func extract(_ objects: ManagedObject...) throws -> UnsavedGraph {
        try extract(objects)
    }

    /// Extracts new objects from the context, as ``extract(_:)-(ManagedObject...)`` does.
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
