import RecordStackModel

/// An object as filters and sort keys read it.
struct ObjectSubject: FilterSubject {
    let object: ManagedObject
    let context: ManagedObjectContext

    var key: Int64 { object.keyValue }

    func storedValue(at slot: Int) throws -> StoredValue {
        try context.ensureLoaded(object)
        return object.storedValue(at: slot)
    }

    func related(_ step: FilterPath.Step) throws -> ObjectSubject? {
        try context.ensureLoaded(object)
        let key = object.storedKey(at: step.slot)
        guard key != 0 else { return nil }
        let entity = try context.coordinator.model.requireIndex(of: step.destination)
        return try context.findObject(key: key, entity: entity).map {
            ObjectSubject(object: $0, context: context)
        }
    }

    func members(_ relation: FilterRelation) throws -> [ObjectSubject] {
        let relationship = relation.relationship
        let keys =
            try object.recordValue?.members.keys(relationship)
            ?? context.loader.loadMembers(of: object, relationship).keys
        if keys.isEmpty { return [] }
        return try context.loader.members(keys, of: object, relationship).filter {
            !$0.has(ObjectFlags.deleted)
        }.map { ObjectSubject(object: $0, context: context) }
    }
}

extension ManagedObjectContext {
    func ensureLoaded(_ object: ManagedObject) throws {
        if object.isFault { try loadFault(object) }
    }

    /// Returns the order of two objects by sort keys and, if these are equal, by their own keys.
    func order(_ a: ManagedObject, _ b: ManagedObject, by sort: [SortTerm]) throws -> Order {
        for term in sort {
            let value = try term.operand.value(for: ObjectSubject(object: a, context: self))
            let other = try term.operand.value(for: ObjectSubject(object: b, context: self))
            let order = term.order(value, other)
            if order != .same { return order }
        }
        return Order(a.keyValue, b.keyValue)
    }

    func sorted(_ objects: [ManagedObject], by sort: [SortTerm]) throws -> [ManagedObject] {
        try objects.sorted { try order($0, $1, by: sort) == .before }
    }
}
