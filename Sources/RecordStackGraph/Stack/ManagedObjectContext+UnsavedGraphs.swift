import RecordStackModel

extension ManagedObjectContext {
    /// Takes new objects out of the context, with all new objects that they are related to, at whatever distance.
    ///
    /// ```swift
    /// let graph = try form.extract(order)
    /// try other.insert(graph)
    /// let orderThere = try Order.existing(graph.objectIDs[0], in: other)
    /// ```
    ///
    /// They are no objects of this context any more, as after ``rollback()``; references of
    /// saved objects to them become nil. In the context that they are inserted into they have the same IDs, values and relationships. A save
    /// under way is waited for.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an object of another context, or one that is saved or deleted;
    ///   nothing is taken out then.
    public func extract(_ objects: ManagedObject...) throws -> UnsavedGraph {
        try extract(objects)
    }

    /// Takes new objects out of the context as ``extract(_:)-(ManagedObject...)`` does.
    public func extract(_ objects: some Sequence<ManagedObject>) throws -> UnsavedGraph {
        try enter()
        let use = beginUse()
        defer { endUse(use) }
        try coordinator.hooks.refuse("extract(_:)")
        // What is taken out goes along with nobody's save meanwhile.
        let ticket = try waitForTurn()
        defer { ticket.finish() }
        return try tree.capturing(ticket) { try graphs.takeOut(objects) }
    }
}
