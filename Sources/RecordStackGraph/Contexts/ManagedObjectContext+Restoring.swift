public import RecordStackModel

extension ManagedObjectContext {
    /// Restores a deleted object from a snapshot, under its old ID.
    ///
    /// The object gets the snapshot's attributes and to-one relationships. Relationships that are
    /// stored in a join table, such as many-to-many relationships, get their members back. The next
    /// save writes the object.
    ///
    /// ```swift
    /// let removed = try item.snapshot
    /// try context.delete(item)
    /// try await context.save()
    /// …
    /// let item = try context.restore(removed)         // undo
    /// try await context.save()
    /// ```
    ///
    /// If the object still exists, or if its deletion is not saved yet, the call sets the object to
    /// the snapshot's values. Related objects that no longer exist are left out. The call does not
    /// change objects whose own rows referred to the deleted object: restore those objects as well,
    /// or set their relationships again. If the object is a member of another object's ordered
    /// relationship, it comes last there.
    ///
    /// The call runs one statement for the object and one for each relationship that is not empty.
    ///
    /// - Parameter snapshot: A snapshot from the property `snapshot` of an object. A decoded
    ///   snapshot, or one from a list of snapshots, contains no members. With such a snapshot, an
    ///   existing object keeps its members.
    /// - Returns: The object in this context.
    /// - Throws: ``RecordStackError/Code/misuse`` for a snapshot of another store, or of an entity
    ///   that is not in the stack's model. Also throws ``RecordStackError/Code/misuse`` if an
    ///   ancestor of this context will delete the object: restore it in that ancestor. Also throws
    ///   the store's errors. A call that throws changes nothing.
    @discardableResult
    public func restore<Entity: ManagedObject>(_ snapshot: Snapshot<Entity>) throws -> Entity {
        try enter()
        let entity = try coordinator.requireEntity(of: snapshot.objectID)
        let related = try snapshot.members.map { members in
            (members.relationship, try livingMembers(members, of: entity))
        }
        let references = try livingReferences(of: snapshot, entity: entity)
        let object = try objectToRestore(snapshot.objectID.key, entity: entity)
        let attributes = snapshot.entity.attributes.map {
            (slot: $0.slot, value: snapshot.values[$0.slot])
        }
        _ = try assign(attributes, to: object)
        for (slot, key) in references where object.storedKey(at: slot) != key {
            object.setReference(key, at: slot)
        }
        for (relationship, members) in related {
            object.restoreMembers(members, relationship)
        }
        // The object belongs to the snapshot's entity, which is Entity or inherits from it.
        return unsafeDowncast(object, to: Entity.self)
    }

    /// Returns the object with a key: the existing one, the undeleted one, or a re-inserted one.
    private func objectToRestore(_ key: Int64, entity: Int) throws -> ManagedObject {
        if let object = try findObject(key: key, entity: entity) {
            try ensureLoaded(object)
            return object
        }
        let table = table(of: entity)
        if let object = table.object(key), object.isToDelete {
            restore(object, in: table)
            try ensureLoaded(object)
            return object
        }
        if let parent = parentContext, parent.isKnownToBeGone(key: key, entity: entity) {
            throw RecordStackError.restoredUnderDeletion(
                coordinator.objectID(entity: entity, key: key))
        }
        let known = table.object(key)
        let object =
            known ?? insertObject(coordinator.types.types[entity], entity: entity, key: key)
        object.reinsert(as: known.map { max($0.rowVersion, .first) } ?? .first, in: self)
        if known == nil { didLoad(object) }
        return object
    }

    /// Returns the existing objects among a snapshot's members, in the order of their keys there.
    private func livingMembers(
        _ members: SnapshotMembers, of entity: Int
    ) throws -> [ManagedObject] {
        let relationship = coordinator.model.modelEntities[entity].relationships[
            members.relationship]
        return try livingObjects(members.keys, entity: relationship.destination)
    }

    private func livingObjects(_ keys: [Int64], entity: Int) throws -> [ManagedObject] {
        if keys.isEmpty { return [] }
        let root = coordinator.rootEntity(of: entity)
        let found = try queries.fetch(.keys(keys.sorted(), entity: root), as: ManagedObject.self)
        let byKey = Dictionary(found.map { ($0.keyValue, $0) }) { first, _ in first }
        return keys.compactMap { byKey[$0] }
    }

    /// Returns the keys of to-one relationships by slot; 0 if the related object does not exist.
    private func livingReferences<Entity>(
        of snapshot: Snapshot<Entity>, entity: Int
    ) throws -> [(slot: Int, key: Int64)] {
        try coordinator.model.modelEntities[entity].relationships.compactMap { relationship in
            guard let slot = relationship.slot else { return nil }
            guard case .integer(let key) = snapshot.values[slot] else { return (slot, 0) }
            let found = try livingObjects([key], entity: relationship.destination)
            return (slot, found.isEmpty ? 0 : key)
        }
    }
}

extension RecordStackError {
    fileprivate static func restoredUnderDeletion(_ id: ManagedObjectID) -> RecordStackError {
        RecordStackError(
            .misuse,
            "\(id) is to be deleted by a context above this one, which has not saved since, so that a child cannot put "
                + "it back. Call restore(_:) in that context.",
            objectID: id)
    }
}

extension ManagedObject {
    /// Marks the object for re-insertion of its row.
    final func reinsert(as version: RowVersion, in context: ManagedObjectContext) {
        recordValue?.forgetChanges()
        let effects = apply(.reinserting)
        rowVersion = version
        if !has(ObjectFlags.dirty) { context.list(self) }
        if effects.contains(.shows) { context.members.reenterMemberKeys(self) }
    }

    /// Returns the members of the relationships that join tables keep.
    final func snapshotMembers() -> [SnapshotMembers] {
        guard let context = managedObjectContext else { return [] }
        let entity = context.coordinator.model.modelEntities[context.entityIndex(of: self)]
        return entity.relationships.indices.compactMap { index in
            guard case .links = entity.relationships[index].storage else { return nil }
            return SnapshotMembers(
                relationship: index, keys: Array(plainMemberKeys(index)))
        }
    }

    /// Replaces the members of a relationship, in the given order if the relationship is ordered.
    final func restoreMembers(_ members: [ManagedObject], _ relationship: Int) {
        let wanted = Set(members.map(\.keyValue))
        for member in self.members(relationship, as: ManagedObject.self)
        where !wanted.contains(member.keyValue) {
            removeMember(member, relationship)
        }
        for (index, member) in members.enumerated() {
            insertMember(member, relationship)
            moveMember(member, to: index, relationship)
        }
    }
}
