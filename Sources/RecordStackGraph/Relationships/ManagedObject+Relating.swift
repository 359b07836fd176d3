import RecordStackModel

// Access to relationships by slot and index, for imports.
extension ManagedObject {
    /// Whether a property is nil.
    package final func isNil(at slot: Int) -> Bool {
        willAccessValue()
        return storedValue(at: slot).isNull
    }

    /// Sets a to-one relationship to an object or nil, as its setter does.
    ///
    /// - Returns: True if the relationship has changed.
    @discardableResult
    package final func relate(to object: ManagedObject?, at slot: Int) -> Bool {
        let key = object?.keyValue ?? 0
        let isNew = has(ObjectFlags.inserted) && !isWritten(slot)
        if storedKey(at: slot) == key && !isNew { return false }
        setReference(key, at: slot)
        return !isNew || key != 0
    }

    /// Returns the object that a to-one relationship refers to.
    package final func relatedObject(_ type: ManagedObject.Type, at slot: Int) -> ManagedObject? {
        willAccessValue()
        let key = storedKey(at: slot)
        return key == 0 ? nil : destination(key, type, at: slot)
    }

    /// Returns the members of a to-many relationship, in order if it is ordered.
    package final func relatedObjects(_ relationship: Int) -> [ManagedObject] {
        members(relationship)
    }

    /// Records that an object that was just created has no members yet.
    ///
    /// Without this, each look at its members would search all unsaved changes.
    package final func startWithoutMembers(_ relationship: Int) {
        guard let (context, known) = known(relationship), !has(ObjectFlags.stored),
            !context.hooks[context.entityIndex(of: self)].contains(.awakeFromInsert),
            !record.members.contains(relationship)
        else { return }
        let isOrdered = context.coordinator.model.isOrdered(known)
        record.members[relationship] = MemberKeys(isOrdered: isOrdered)
        context.loadedMembers.add(keyValue, known.relation)
    }

    /// Whether a to-many relationship is unordered and its members keep the owner's key.
    package final func membersKnowOwner(_ relationship: Int) -> Bool {
        if case .members(_, nil) = known(relationship)?.relationship.storage { true } else { false }
    }

    /// Whether a to-many relationship is known to have exactly the given members.
    ///
    /// The members of an ordered relationship must be in the same order. The call looks only at
    /// loaded keys. For a long unordered relationship, it may return false if the members are the
    /// same but in another order.
    package final func isRelated(toJust objects: [ManagedObject], _ relationship: Int) -> Bool {
        guard let members = recordValue?.members[relationship], members.knowsAllPositions else {
            return false
        }
        let keys = members.keys
        if keys.count != objects.count { return false }
        var isInOrder = true
        for (index, object) in objects.enumerated() {
            if object.has(ObjectFlags.deleted | ObjectFlags.detached) { return false }
            if isInOrder && keys[index] != object.keyValue { isInOrder = false }
        }
        if isInOrder { return true }
        if members.isOrdered || keys.count > Self.membersComparedOneByOne { return false }
        return objects.allSatisfy { keys.contains($0.keyValue) }
    }

    private static var membersComparedOneByOne: Int { 16 }

    /// Adds an object to the relationship, as the last one if it is ordered.
    ///
    /// - Returns: True if the object was not a member.
    package final func addRelated(_ object: ManagedObject, _ relationship: Int) -> Bool {
        insertMember(object, relationship)
    }

    /// Removes an object from the relationship.
    package final func removeRelated(_ object: ManagedObject, _ relationship: Int) {
        removeMember(object, relationship)
    }

    /// Moves members to the first indexes of an ordered relationship, in the given order.
    ///
    /// - Returns: True if any of them had another index.
    package final func orderRelated(_ objects: [ManagedObject], _ relationship: Int) -> Bool {
        var isChanged = false
        for (index, object) in objects.enumerated() {
            let keys = memberKeys(relationship).keys
            if index < keys.count && keys[index] == object.keyValue { continue }
            moveMember(object, to: index, relationship)
            isChanged = true
        }
        return isChanged
    }
}

extension ManagedObjectContext {
    /// Loads the member keys of a relationship for all objects with one statement.
    ///
    /// A loop over the objects then runs no further statement for keys.
    package func loadMemberKeys(of objects: [ManagedObject], _ relationship: Int) throws {
        guard let first = objects.first else { return }
        let known = coordinator.model.modelEntities[entityIndex(of: first)]
            .relationships[relationship]
        let prefetcher = Prefetcher(context: self, roots: objects, isWhole: false)
        try reading { _ in try prefetcher.loadKeys(of: objects, relationship, known) }
    }
}
