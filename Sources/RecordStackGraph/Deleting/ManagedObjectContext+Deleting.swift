package import RecordStackModel

extension ManagedObjectContext {
    /// Marks an object for deletion by the next save, and applies its delete rules at once.
    ///
    /// To see the effects first, call ``deletionPlan(for:)-(ManagedObject...)``. A new object is
    /// discarded at once. The call runs one query for each relationship from or to the object's
    /// entity.
    ///
    /// - Throws: ``RecordStackError/Code/deletionDenied`` with the objects that prevent the
    ///   deletion, and ``RecordStackError/Code/misuse`` for an object of another context. Also
    ///   throws the store's errors. A call that throws ``RecordStackError/Code/deletionDenied``
    ///   deletes nothing.
    public func delete(_ object: ManagedObject) throws {
        try enter()
        if try deleter.isDeletable(object) {
            try deleter.carryOut([DeletionPlanner.entry(object, self)])
        }
    }

    /// Marks objects for deletion, as ``delete(_:)-(ManagedObject)`` does for one object.
    ///
    /// Objects that are deleted together do not prevent each other's deletion. Deleting many
    /// objects takes hardly more queries than deleting one.
    public func delete(_ objects: [ManagedObject]) throws {
        try enter()
        let wanted = try objects.filter { try deleter.isDeletable($0) }
        if wanted.isEmpty { return }
        try deleter.carryOut(wanted.map { DeletionPlanner.entry($0, self) })
    }

    /// Marks the objects of a request for deletion.
    ///
    /// Of the objects that are not registered, the call reads only the keys.
    ///
    /// - Returns: the number of objects in the request.
    package func delete(_ request: StoreRequest) throws -> Int {
        let roots = try reading(transaction: true) {
            try DeletionPlanner.roots(of: request, self, $0)
        }
        if !roots.isEmpty { try deleter.carryOut(roots) }
        return roots.count
    }

    /// Returns the effects that deleting some objects would have, without changing anything.
    public func deletionPlan(for objects: ManagedObject...) throws -> DeletionPlan {
        try deletionPlan(for: objects)
    }

    /// Returns the effects that deleting some objects would have, without changing anything.
    public func deletionPlan(for objects: [ManagedObject]) throws -> DeletionPlan {
        try enter()
        let wanted = try objects.filter { try deleter.isDeletable($0) }
        return try deleter.plan(deleting: wanted.map { DeletionPlanner.entry($0, self) }).plan
    }
}

extension ManagedObject {
    /// Marks the object for deletion by its context's next save, and applies its delete rules.
    ///
    /// If another context has already deleted the object, the call does nothing. A loop can
    /// therefore delete the results of a fetch one by one, even if other contexts delete some of
    /// them meanwhile.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the object's context is gone or was reset.
    ///   Also throws the errors of ``ManagedObjectContext/delete(_:)-(ManagedObject)``.
    public final func delete() throws {
        if has(ObjectFlags.gone) { return }
        guard let context = managedObjectContext else {
            throw absent("It cannot be deleted: find it in a context by its objectID.")
        }
        try context.delete(self)
    }
}
