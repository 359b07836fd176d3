public import RecordStackModel

extension ManagedObjectContext {
    /// Puts a deleted object back, under its ID and with what the snapshot has of it: attributes, to-one relationships,
    /// and members of relationships in which both sides have many. The next save writes it.
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
    /// An object that is there, or is to be deleted and was not saved since, is set to what the snapshot has.
    /// Related objects that are not there any more are left out. Objects whose own rows refer to the object, and did
    /// so before it was deleted, are not changed: restore or set them, too. In an order of the other side the object
    /// stands last.
    ///
    /// It costs one statement for the object and one for each relationship with something in it.
    ///
    /// - Parameter snapshot: what `object.snapshot` made. One of a list of snapshots, and one that was decoded, has no
    ///   members of relationships; those of an object that is there stay then.
    /// - Returns: the object in this context.
    /// - Throws: ``RecordStackError/Code/misuse`` for a snapshot of another store or of an entity that is not in the
    ///   stack's model, and in a child for an object that a context above is to delete: restore it there; and what the
    ///   store says. Nothing is changed then.
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
        // Of the snapshot's own entity, which is Entity or inherits from it.
        return unsafeDowncast(object, to: Entity.self)
    }

    /// The object of a key: as it is here, with its deletion taken back, or made anew.
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

    /// The objects of keys, in the keys' order, as far as they are there.
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

    /// The keys of to-one relationships by their slots; 0 where nothing is there.
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
    /// Makes the object one whose row is to be inserted again.
    final func reinsert(as version: RowVersion, in context: ManagedObjectContext) {
        recordValue?.forgetChanges()
        let effects = apply(.reinserting)
        rowVersion = version
        if !has(ObjectFlags.dirty) { context.list(self) }
        if effects.contains(.shows) { context.members.reenterMemberKeys(self) }
    }

    /// The members of relationships that are kept in tables of their own.
    final func snapshotMembers() -> [SnapshotMembers] {
        guard let context = managedObjectContext else { return [] }
        let entity = context.coordinator.model.modelEntities[context.entityIndex(of: self)]
        return entity.relationships.indices.compactMap { index in
            guard case .links = entity.relationships[index].storage else { return nil }
            return SnapshotMembers(
                relationship: index, keys: Array(plainMemberKeys(index)))
        }
    }

    /// Makes objects the members of a relationship, in their order where it has one.
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
