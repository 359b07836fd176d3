package import RecordStackModel

extension ManagedObjectContext {
    /// Marks an object for deletion by the next save, and at once does what the delete rules of its
    /// relationships say: see ``deletionPlan(for:)-(ManagedObject...)``. A new object is simply given up.
    ///
    /// - Throws: ``RecordStackError/Code/deletionDenied`` with the objects that stand in the way, and
    ///   then nothing was changed; ``RecordStackError/Code/misuse`` for an object of another context;
    ///   and what the store says while related objects are looked for: one query for each relationship
    ///   to or from the entity.
    public func delete(_ object: ManagedObject) throws {
        try enter()
        if try deleter.isDeletable(object) {
            try deleter.carryOut([DeletionPlanner.entry(object, self)])
        }
    }

    /// Marks objects for deletion, as ``delete(_:)-(ManagedObject)`` does. Objects that are deleted
    /// together do not stand in each other's way, and cost little more queries than one.
    public func delete(_ objects: [ManagedObject]) throws {
        try enter()
        let wanted = try objects.filter { try deleter.isDeletable($0) }
        if wanted.isEmpty { return }
        try deleter.carryOut(wanted.map { DeletionPlanner.entry($0, self) })
    }

    /// Marks the objects of a request for deletion. Of those that nobody holds only the keys are read.
    /// - Returns: how many the request has.
    package func delete(_ request: StoreRequest) throws -> Int {
        let roots = try reading(transaction: true) {
            try DeletionPlanner.roots(of: request, self, $0)
        }
        if !roots.isEmpty { try deleter.carryOut(roots) }
        return roots.count
    }

    /// What deleting objects would do. Nothing is changed.
    public func deletionPlan(for objects: ManagedObject...) throws -> DeletionPlan {
        try deletionPlan(for: objects)
    }

    /// What deleting objects would do. Nothing is changed.
    public func deletionPlan(for objects: [ManagedObject]) throws -> DeletionPlan {
        try enter()
        let wanted = try objects.filter { try deleter.isDeletable($0) }
        return try deleter.plan(deleting: wanted.map { DeletionPlanner.entry($0, self) }).plan
    }
}

extension ManagedObject {
    /// Marks the object for deletion by its context's next save, and does what its delete rules say.
    /// Where others have deleted it already, nothing is left to do: a loop over what a fetch has found may
    /// delete one after the other while others delete as well.
    /// - Throws: ``RecordStackError/Code/misuse`` where its context is gone or was reset, and what
    ///   ``ManagedObjectContext/delete(_:)-(ManagedObject)`` throws.
    public final func delete() throws {
        if has(ObjectFlags.gone) { return }
        guard let context = managedObjectContext else {
            throw absent("It cannot be deleted: find it in a context by its objectID.")
        }
        try context.delete(self)
    }
}
