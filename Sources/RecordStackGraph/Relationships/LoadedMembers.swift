import RecordStackModel

/// Keeps the loaded keys of to-many relationships up to date.
///
/// The keys follow their source: the to-one relationships that refer back, or the join rows of a
/// join table. Only relationships whose keys are loaded are updated.
final class LoadedMembers: ContextPart {
    /// Returns the to-one relationships of an entity whose inverse is a to-many relationship.
    ///
    /// Empty if the context has loaded no keys.
    func backReferences(of entity: Int) -> [InverseTable.BackReference] {
        loadedMembers.isEmpty ? [] : coordinator.types.inverseTables[entity].backReferences
    }

    /// Moves a member from one owner's list to another's; the key 0 means no owner.
    ///
    /// - Parameter position: The position in the new owner's order. Nil appends the member, if the
    ///   position is unknown.
    func moveMember(
        _ member: Int64, from old: Int64, to new: Int64, _ reference: InverseTable.BackReference,
        position: Int64? = nil
    ) {
        if old == new { return }
        if old != 0, let owner = tables[reference.hierarchy].object(old) {
            owner.recordValue?.members[reference.relationship]?.remove(member)
        }
        if new != 0, let owner = tables[reference.hierarchy].object(new) {
            owner.recordValue?.members[reference.relationship]?.enter(member, position)
        }
    }

    func memberKeysFollow(insertionOf key: Int64, in changes: EntityChanges, row: Int) {
        for reference in backReferences(of: changes.entity) {
            let owner = changes.inserted.cell(row: row, slot: reference.slot).integer
            if changes.lacksBaseImage {
                enterOnly(key, owner, reference)
            } else {
                moveMember(key, from: 0, to: owner, reference)
            }
        }
    }

    func memberKeysFollow(_ update: EntityChanges.Update, in changes: EntityChanges, row: Int) {
        for reference in backReferences(of: changes.entity)
        where update.slots.contains(reference.slot) {
            if changes.lacksBaseImage {
                let owner = changes.updated.cell(row: row, slot: reference.slot).integer
                enterOnly(update.key, owner, reference)
                continue
            }
            moveMember(
                update.key, from: changes.bases.cell(row: row, slot: reference.slot).integer,
                to: changes.updated.cell(row: row, slot: reference.slot).integer, reference)
        }
    }

    /// Corrects the lists after an update, if the object already shows that update or a newer one.
    func correctMemberKeys(
        _ update: EntityChanges.Update, in changes: EntityChanges, row: Int,
        of object: ManagedObject
    ) {
        for reference in backReferences(of: changes.entity)
        where update.slots.contains(reference.slot) {
            let now = object.storedKey(at: reference.slot)
            if changes.lacksBaseImage {
                enterOnly(update.key, now, reference)
                continue
            }
            for old in [
                changes.bases.cell(row: row, slot: reference.slot).integer,
                changes.updated.cell(row: row, slot: reference.slot).integer,
            ] where old != now {
                moveMember(update.key, from: old, to: 0, reference)
            }
            moveMember(update.key, from: 0, to: now, reference)
        }
    }

    /// Moves a row with an unknown owner to the list of one owner.
    private func enterOnly(
        _ key: Int64, _ owner: Int64, _ reference: InverseTable.BackReference
    ) {
        for other in loadedMembers.owners(of: reference.relation) where other != owner {
            moveMember(key, from: other, to: 0, reference)
        }
        moveMember(key, from: 0, to: owner, reference)
    }

    /// Forgets the members of all relationships that refer to a table's objects.
    func forgetOwners(ofMembersIn table: EntityTable) {
        if loadedMembers.isEmpty { return }
        for entity in model.hierarchies[table.hierarchy].entities {
            for reference in backReferences(of: entity) {
                forgetMembers(of: reference.relation, hierarchy: reference.hierarchy)
            }
            for link in model.linkSides(referringTo: entity) {
                forgetMembers(of: link.relation, hierarchy: link.hierarchy)
            }
        }
    }

    /// Forgets the members of all owners of a relationship.
    func forgetMembers(of relation: Int, hierarchy: Int) {
        for owner in loadedMembers.owners(of: relation) {
            tables[hierarchy].object(owner).map(forgetMembers)
        }
    }

    /// Removes a row with an unknown owner from every loaded list.
    func leaveUnknownOwners(_ key: Int64, entity: Int) {
        for reference in backReferences(of: entity) {
            for owner in loadedMembers.owners(of: reference.relation) {
                moveMember(key, from: owner, to: 0, reference)
            }
        }
    }

    /// Removes a deleted row with an unknown owner from every loaded list.
    func memberKeysFollow(deletionOf key: Int64, entity: Int) {
        leaveUnknownOwners(key, entity: entity)
        leaveLinks(key, entity: entity)
    }

    /// Removes an object from the loaded to-many relationships that it is a member of.
    func leaveMemberKeys(_ object: ManagedObject) {
        guard !loadedMembers.isEmpty else { return }
        let entity = entityIndex(of: object)
        if object.isFault {
            memberKeysFollow(deletionOf: object.keyValue, entity: entity)
            return
        }
        for reference in backReferences(of: entity) {
            let owner = object.storedKey(at: reference.slot)
            moveMember(object.keyValue, from: owner, to: 0, reference)
        }
        leaveLinks(object.keyValue, entity: entity)
    }

    /// Removes objects from the loaded to-many relationships that they are members of.
    ///
    /// For several objects, searches each loaded relationship once.
    func leaveMemberKeys(_ objects: [ManagedObject]) {
        if loadedMembers.isEmpty { return }
        if objects.count == 1 { return leaveMemberKeys(objects[0]) }
        for (entity, objects) in Dictionary(grouping: objects, by: entityIndex) {
            let keys = Set(objects.map(\.keyValue))
            for reference in backReferences(of: entity) {
                for owner in loadedMembers.owners(of: reference.relation) {
                    tables[reference.hierarchy].object(owner)?.recordValue?
                        .members[reference.relationship]?.remove(keys)
                }
            }
            for side in model.linkSides(referringTo: entity) {
                for owner in loadedMembers.owners(of: side.relation) {
                    tables[side.hierarchy].object(owner)?.recordValue?
                        .members[side.relationship]?.remove(keys)
                }
            }
        }
    }

    /// Adds an object to the loaded to-many relationships of the owners that it refers to.
    ///
    /// - Parameter keepsOrders: True to leave ordered relationships as they are. Their indexes must
    ///   not change between two operations, whatever a row says that is read there. A merge applies
    ///   the moves of other contexts.
    func enterMemberKeys(_ object: ManagedObject, keepsOrders: Bool = false) {
        for reference in backReferences(of: entityIndex(of: object)) {
            if keepsOrders && reference.isOrdered { continue }
            let owner = object.storedKey(at: reference.slot)
            moveMember(object.keyValue, from: 0, to: owner, reference)
        }
    }

    /// Adds an object that was just loaded to the loaded to-many relationships.
    ///
    /// The object's row may name another owner than the lists that were loaded before.
    func enterMemberKeys(ofLoaded object: ManagedObject) {
        let isOpen =
            context.shown.isOpen(
                object.keyValue, hierarchy: table(of: entityIndex(of: object)).hierarchy)
        if isOpen && !context.usage.isOperating {
            enterMemberKeysAnew(object, keepsOrders: true)
        } else {
            enterMemberKeys(object, keepsOrders: !context.usage.isOperating)
        }
    }

    /// Adds an object whose owner at its last load is unknown.
    func enterMemberKeysAnew(_ object: ManagedObject, keepsOrders: Bool) {
        for reference in backReferences(of: entityIndex(of: object)) {
            if keepsOrders && reference.isOrdered { continue }
            enterOnly(object.keyValue, object.storedKey(at: reference.slot), reference)
        }
    }

    /// Adds an object that is visible again.
    ///
    /// Relationships that join tables keep are loaded again.
    func reenterMemberKeys(_ object: ManagedObject) {
        enterMemberKeys(object)
        for link in model.linkSides(referringTo: entityIndex(of: object)) {
            forgetMembers(of: link.relation, hierarchy: link.hierarchy)
        }
    }

    /// Forgets the loaded keys of an object's to-many relationships.
    func forgetMembers(of object: ManagedObject) {
        guard let members = object.recordValue?.members, !members.isEmpty else { return }
        let relationships = model.modelEntities[entityIndex(of: object)].relationships
        for relationship in members.relationships {
            loadedMembers.remove(object.keyValue, relationships[relationship].relation)
        }
        object.recordValue?.members = MemberTable()
    }
}

// MARK: Join rows

extension LoadedMembers {
    /// Removes an object from the loaded relationships that join tables keep.
    func leaveLinks(_ key: Int64, entity: Int) {
        for side in model.linkSides(referringTo: entity) {
            for owner in loadedMembers.owners(of: side.relation) {
                tables[side.hierarchy].object(owner)?.recordValue?
                    .members[side.relationship]?.remove(key)
            }
        }
    }

    /// Adds a join row to the loaded relationships of its objects, or removes it from them.
    func show(_ row: LinkChanges.Row, in joinTable: JoinTable, isThere: Bool) {
        if loadedMembers.isEmpty { return }
        for end in [LinkEnd.first, .second] {
            guard let side = shownSide(joinTable, end) else { continue }
            let owner = tables[side.hierarchy].object(row.joinRow.key(end))
            guard let record = owner?.recordValue,
                var members = record.members[side.relationship]
            else { continue }
            // Taken out of the record, so that the list has one reference and changes in place.
            record.members[side.relationship] = nil
            let member = row.joinRow.key(end.other)
            if isThere {
                members.enter(member, row.position(end))
            } else {
                members.remove(member)
            }
            record.members[side.relationship] = members
        }
    }

    /// Returns the relationship at an end, even if a column keeps its order.
    private func shownSide(_ joinTable: JoinTable, _ end: LinkEnd) -> LinkSide? {
        if !joinTable.hasOwnTable && end == .second { return nil }
        return model.side(joinTable, end)
    }

    func isShown(_ joinRow: JoinRow, in joinTable: JoinTable) -> Bool {
        [LinkEnd.first, .second].contains { end in
            guard let side = model.side(joinTable, end) else { return false }
            let owner = tables[side.hierarchy].object(joinRow.key(end))
            return owner?.recordValue?.members[side.relationship]?
                .contains(joinRow.key(end.other)) == true
        }
    }
}

extension ManagedObject {
    /// Returns the key of a to-one relationship; 0 for none.
    final func storedKey(at slot: Int) -> Int64 {
        if case .integer(let key) = storedValue(at: slot) { key } else { 0 }
    }

    /// Runs a body that may change to-one relationships, and updates the loaded inverses.
    final func changingReferences(in slots: SlotSet, _ body: () -> Void) {
        guard !anchor.loadedMembers.isEmpty, let context = anchor.context,
            !has(ObjectFlags.fault | ObjectFlags.detached | ObjectFlags.deleted)
        else { return body() }
        let references = context.members.backReferences(of: context.entityIndex(of: self)).filter {
            slots.contains($0.slot)
        }
        let old = references.map { storedKey(at: $0.slot) }
        body()
        for (reference, old) in zip(references, old) {
            context.members.moveMember(
                keyValue, from: old, to: storedKey(at: reference.slot), reference)
        }
    }
}
