import RecordStackModel

extension ManagedObjectContext {
    /// Marks an object for deletion by the next save. Objects that refer to it refer to nothing
    /// from now on; a new object is simply given up.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an object of another context, and what the
    ///   store says while the objects that refer to this one are looked for: one query for each
    ///   relationship that leads to the entity.
    public func delete(_ object: ManagedObject) throws {
        try delete([object])
    }

    package func delete(_ objects: [ManagedObject]) throws {
        try enter()
        let wanted = try objects.filter { try isDeletable($0) }
        try reading(transaction: true) { _ in
            // Others may have deleted some of them.
            let live = wanted.filter { !$0.has(ObjectFlags.detached) }
            for object in live { try ensureLoaded(object) }
            try nullifyReferences(to: live)
        }
        // The same object may stand there twice.
        for object in wanted where !object.has(ObjectFlags.detached) && !isDeleted(object) {
            markDeleted(object)
        }
        // Looking at the whole list is for those that have left it.
        if wanted.contains(where: { !$0.has(ObjectFlags.listed) }) {
            for table in tables { table.pruneListed() }
        }
    }

    private func isDeletable(_ object: ManagedObject) throws -> Bool {
        if isDeleted(object) { return false }
        if object.managedObjectContext === self { return true }
        throw RecordStackError(
            .misuse,
            "The object belongs to another context, or to none any more. Find it in this context "
                + "by its objectID, and delete that one.", objectID: object.objectID)
    }

    /// What was deleted elsewhere under changes made here can be deleted here as well, which ends
    /// the conflict.
    private func isDeleted(_ object: ManagedObject) -> Bool {
        object.has(ObjectFlags.deleted) && !object.has(ObjectFlags.deletedThere)
    }

    func nullifyReferences(to objects: [ManagedObject]) throws {
        for reference in try references(to: objects) {
            reference.object.setReference(0, at: reference.slot)
        }
    }

    /// The objects that refer to some of these: one query for each relationship that can.
    func references(
        to objects: [ManagedObject]
    ) throws -> [(object: ManagedObject, slot: Int)] {
        var keysOfEntities: [Int: [Int64]] = [:]
        for object in objects {
            keysOfEntities[entityIndex(of: object), default: []].append(object.keyValue)
        }
        var found: [(object: ManagedObject, slot: Int)] = []
        for (entity, keys) in keysOfEntities.sorted(by: { $0.key < $1.key }) {
            for reference in coordinator.model.modelEntities[entity].references {
                let path = FilterPath(slot: reference.slot)
                let request = StoreRequest(
                    entity: reference.entity,
                    filter: keys.count == 1
                        ? .compare(path, .equal, .integer(keys[0]))
                        : .among(path, keys.map { .integer($0) }))
                found += try fetch(request, as: ManagedObject.self).map { ($0, reference.slot) }
            }
        }
        return found
    }

    func markDeleted(_ object: ManagedObject) {
        leaveMemberKeys(object)
        forgetMembers(of: object)
        dropLinks(of: object)
        let table = table(of: entityIndex(of: object))
        // What is being written at the moment may be in the store in the next one.
        if object.has(ObjectFlags.inserted) && isWriting {
            object.bits |= ObjectFlags.deleted
            mayHaveGivenUp = true
        } else if object.has(ObjectFlags.deletedThere) {
            agreeToDeletion(of: object, in: table)
        } else if object.has(ObjectFlags.inserted) {
            table.unregister(object)
        } else {
            if !object.has(ObjectFlags.listed) { list(object) }
            object.bits |= ObjectFlags.deleted
        }
    }
}

extension ManagedObject {
    /// Marks the object for deletion by its context's next save.
    /// - Throws: ``RecordStackError/Code/misuse`` where it belongs to no context any more, and what
    ///   ``ManagedObjectContext/delete(_:)-(ManagedObject)`` throws.
    public final func delete() throws {
        guard let context = managedObjectContext else {
            throw RecordStackError(
                .misuse, "The object belongs to no context any more, so it cannot be deleted.",
                objectID: objectID)
        }
        try context.delete(self)
    }
}
