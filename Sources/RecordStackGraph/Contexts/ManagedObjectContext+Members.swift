import RecordStackModel

// The keys of to-many relationships follow the to-one relationships that lead back, which alone are
// stored. Only relationships whose keys are loaded are touched.
extension ManagedObjectContext {
    /// A to-one relationship and the to-many that it is the inverse of.
    struct BackReference {
        let slot: Int
        let relation: MemberRegistry.Relation
    }

    /// The to-one relationships of an entity whose inverses are loaded somewhere in the context.
    func backReferences(of entity: Int) -> [BackReference] {
        if loadedMembers.isEmpty { return [] }
        let model = coordinator.model
        return model.modelEntities[entity].relationships.compactMap { relationship in
            guard let slot = relationship.slot, let inverse = relationship.inverse else {
                return nil
            }
            let hierarchy = model.modelEntities[relationship.destination].hierarchy
            return BackReference(
                slot: slot,
                relation: MemberRegistry.Relation(hierarchy: hierarchy, relationship: inverse))
        }
    }

    /// A member's to-one relationship leads to another object now; 0 stands for none.
    func moveMember(
        _ member: Int64, from old: Int64, to new: Int64, _ relation: MemberRegistry.Relation
    ) {
        if old == new { return }
        if old != 0, let owner = tables[relation.hierarchy].object(old) {
            owner.recordValue?.members[relation.relationship]?.remove(member)
        }
        if new != 0, let owner = tables[relation.hierarchy].object(new) {
            owner.recordValue?.members[relation.relationship]?.insert(member)
        }
    }

    func memberKeysFollow(insertionOf key: Int64, in changes: EntityChanges, row: Int) {
        for reference in backReferences(of: changes.entity) {
            let owner = changes.inserted.cell(row: row, slot: reference.slot).integer
            moveMember(key, from: 0, to: owner, reference.relation)
        }
    }

    func memberKeysFollow(_ update: EntityChanges.Update, in changes: EntityChanges, row: Int) {
        for reference in backReferences(of: changes.entity)
        where update.slots.contains(reference.slot) {
            moveMember(
                update.key, from: changes.bases.cell(row: row, slot: reference.slot).integer,
                to: changes.updated.cell(row: row, slot: reference.slot).integer,
                reference.relation)
        }
    }

    /// An update is heard of that the object has already, or more than that.
    func correctMemberKeys(
        _ update: EntityChanges.Update, in changes: EntityChanges, row: Int,
        of object: ManagedObject
    ) {
        for reference in backReferences(of: changes.entity)
        where update.slots.contains(reference.slot) {
            let now = object.storedKey(at: reference.slot)
            for old in [
                changes.bases.cell(row: row, slot: reference.slot).integer,
                changes.updated.cell(row: row, slot: reference.slot).integer,
            ] where old != now {
                moveMember(update.key, from: old, to: 0, reference.relation)
            }
            moveMember(update.key, from: 0, to: now, reference.relation)
        }
    }

    /// The members of all owners whose relationships lead to a table's objects are forgotten.
    func forgetOwners(ofMembersIn table: EntityTable) {
        if loadedMembers.isEmpty { return }
        for entity in coordinator.model.hierarchies[table.hierarchy].entities {
            for reference in backReferences(of: entity) {
                for owner in loadedMembers.owners(of: reference.relation) {
                    tables[reference.relation.hierarchy].object(owner).map(forgetMembers)
                }
            }
        }
    }

    /// Nobody knows any more where the deleted row led, so every loaded owner is asked.
    func memberKeysFollow(deletionOf key: Int64, entity: Int) {
        for reference in backReferences(of: entity) {
            for owner in loadedMembers.owners(of: reference.relation) {
                moveMember(key, from: owner, to: 0, reference.relation)
            }
        }
    }

    /// An object leaves the to-many relationships that it is a member of.
    func leaveMemberKeys(_ object: ManagedObject) {
        guard !loadedMembers.isEmpty else { return }
        let entity = entityIndex(of: object)
        if object.isFault {
            memberKeysFollow(deletionOf: object.keyValue, entity: entity)
            return
        }
        for reference in backReferences(of: entity) {
            let owner = object.storedKey(at: reference.slot)
            moveMember(object.keyValue, from: owner, to: 0, reference.relation)
        }
    }

    /// An object enters the to-many relationships that its to-one ones lead back to.
    func enterMemberKeys(_ object: ManagedObject) {
        for reference in backReferences(of: entityIndex(of: object)) {
            let owner = object.storedKey(at: reference.slot)
            moveMember(object.keyValue, from: 0, to: owner, reference.relation)
        }
    }

    /// The keys of an object's to-many relationships are forgotten, to be loaded anew.
    func forgetMembers(of object: ManagedObject) {
        guard let members = object.recordValue?.members, !members.isEmpty else { return }
        let hierarchy = coordinator.model.modelEntities[entityIndex(of: object)].hierarchy
        for relationship in members.keys {
            loadedMembers.remove(
                object.keyValue,
                MemberRegistry.Relation(hierarchy: hierarchy, relationship: relationship))
        }
        object.recordValue?.members = [:]
    }
}

extension ManagedObject {
    /// The key of a to-one relationship, 0 for none.
    final func storedKey(at slot: Int) -> Int64 {
        if case .integer(let key) = storedValue(at: slot) { key } else { 0 }
    }

    /// Runs a body that may change to-one relationships, and tells those that lead back.
    final func changingReferences(in slots: SlotSet, _ body: () -> Void) {
        guard !anchor.loadedMembers.isEmpty, let context = anchor.context,
            !has(ObjectFlags.fault | ObjectFlags.detached | ObjectFlags.deleted)
        else { return body() }
        let references = context.backReferences(of: context.entityIndex(of: self)).filter {
            slots.contains($0.slot)
        }
        let old = references.map { storedKey(at: $0.slot) }
        body()
        for (reference, old) in zip(references, old) {
            context.moveMember(
                keyValue, from: old, to: storedKey(at: reference.slot), reference.relation)
        }
    }
}
