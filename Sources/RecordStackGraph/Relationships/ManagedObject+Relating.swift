import RecordStackModel

// Relationships by their slots and indexes, for imports.
extension ManagedObject {
    /// Whether a property has no value.
    package final func isNil(at slot: Int) -> Bool {
        willAccessValue()
        return storedValue(at: slot).isNull
    }

    /// Sets a to-one relationship to an object or nil, as its setter would.
    /// - Returns: whether this has changed the relationship.
    @discardableResult
    package final func relate(to object: ManagedObject?, at slot: Int) -> Bool {
        let key = object?.keyValue ?? 0
        let isNew = has(ObjectFlags.inserted) && !isWritten(slot)
        if storedKey(at: slot) == key && !isNew { return false }
        setReference(key, at: slot)
        return !isNew || key != 0
    }

    /// The object that a to-one relationship refers to.
    package final func relatedObject(_ type: ManagedObject.Type, at slot: Int) -> ManagedObject? {
        willAccessValue()
        let key = storedKey(at: slot)
        return key == 0 ? nil : destination(key, type, at: slot)
    }

    /// The members of a to-many relationship, in their order where there is one.
    package final func relatedObjects(_ relationship: Int) -> [ManagedObject] {
        members(relationship)
    }

    /// Takes note that an object that was made a moment ago has no members yet, of which each look would else go through
    /// all that was changed.
    package final func startWithoutMembers(_ relationship: Int) {
        guard let (context, known) = known(relationship), !has(ObjectFlags.stored),
            !context.hooks[context.entityIndex(of: self)].contains(.awakeFromInsert),
            !record.members.contains(relationship)
        else { return }
        let isOrdered = context.coordinator.model.isOrdered(known)
        record.members[relationship] = MemberKeys(isOrdered: isOrdered)
        context.loadedMembers.add(keyValue, known.relation)
    }

    /// Whether the members of a to-many relationship, which has no order, keep the key of their owner.
    package final func membersKnowOwner(_ relationship: Int) -> Bool {
        if case .members(_, nil) = known(relationship)?.relationship.storage { true } else { false }
    }

    /// Whether the members of a to-many relationship are known to be these, each there once, and in an order these in
    /// their order: a look at keys that are loaded. Of long lists in another order it may say no although they are.
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

    /// Makes an object a member, the last one of an order.
    /// - Returns: whether it was none.
    package final func addRelated(_ object: ManagedObject, _ relationship: Int) -> Bool {
        insertMember(object, relationship)
    }

    /// Makes an object a member no longer.
    package final func removeRelated(_ object: ManagedObject, _ relationship: Int) {
        removeMember(object, relationship)
    }

    /// Moves members to the first indexes of an ordered relationship, in the given order.
    /// - Returns: whether any had another index.
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
    /// Loads the keys of a to-many relationship's members, of all objects with one statement: those who go through
    /// them one by one ask no more.
    package func loadMemberKeys(of objects: [ManagedObject], _ relationship: Int) throws {
        guard let first = objects.first else { return }
        let known = coordinator.model.modelEntities[entityIndex(of: first)]
            .relationships[relationship]
        let prefetcher = Prefetcher(context: self, roots: objects, isWhole: false)
        try reading { _ in try prefetcher.loadKeys(of: objects, relationship, known) }
    }
}
