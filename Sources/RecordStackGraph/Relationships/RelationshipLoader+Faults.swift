import RecordStackModel

/// The to-one relationship that created the last fault.
struct FaultOrigin {
    let owner: Int64
    let entity: Int
    let slot: Int
    /// The key of the fault.
    let key: Int64
}

// If a program loads objects one by one, these methods also load objects that it will probably read
// next, more of them each time.
extension RelationshipLoader {
    /// Loads an object together with its siblings, if only the store has it.
    ///
    /// The siblings are the objects to which the same relationship of neighboring owners refers, or
    /// faults with keys near the object's. The call does nothing if it finds no siblings.
    ///
    /// The siblings stay in the context until an operation releases unreferenced objects. An error,
    /// such as a sibling's damaged row, is not reported: the caller then loads the object alone.
    func loadWithSiblings(_ key: Int64, entity: Int) {
        loadWithSiblings(key, entity: entity, from: faultOrigin)
    }

    private func loadWithSiblings(_ key: Int64, entity: Int, from origin: FaultOrigin?) {
        let keys = siblingKeys(of: key, entity, origin)
        if keys.isEmpty { return }
        let sink = FetchSink(
            context: context, entity: entity, skipsDiffering: true, expected: keys.count + 1)
        try? context.withReader { try $0.rows(.keys([key] + keys, entity: entity), into: sink) }
    }

    /// Returns the object that a to-one relationship refers to, or a fault for it.
    func destination(of origin: FaultOrigin, entity: Int) throws -> ManagedObject? {
        // A fault needs its class when it is created, so an object of one of several classes is
        // loaded at once.
        if coordinator.model.modelEntities[entity].kinds.count > 1,
            table(of: entity).object(origin.key) == nil,
            !differsAbove(origin.key, in: table(of: entity))
        {
            loadWithSiblings(origin.key, entity: entity, from: origin)
        }
        let object = try context.objectOrFault(key: origin.key, entity: entity)
        if object?.isFault == true { faultOrigin = origin }
        return object
    }

    /// Returns the keys of siblings: none at first, then up to eight times as many each time.
    private func siblingKeys(of key: Int64, _ entity: Int, _ origin: FaultOrigin?) -> [Int64] {
        if let origin, origin.key == key {
            noteSingleLoad(.toOne(entity: origin.entity, slot: origin.slot))
        } else {
            noteSingleLoad(.faults(entity: entity))
        }
        let loads = faultLoads[entity, default: 0]
        faultLoads[entity] = loads + 1
        if loads == 0 { return [] }
        let wanted = 1 << min(loads * 3, 15)
        let keys =
            if let origin, origin.key == key {
                destinations(of: origin, entity: entity, limit: wanted)
            } else {
                faults(near: key, entity: entity, limit: wanted)
            }
        // Hardly any siblings are left, so the next object is loaded alone again.
        if keys.count * 8 < wanted { faultLoads[entity] = 0 }
        return keys
    }

    /// Returns the keys to which neighboring owners refer and whose objects are not loaded.
    private func destinations(of origin: FaultOrigin, entity: Int, limit: Int) -> [Int64] {
        let type = context.types[origin.entity]
        let destinations = table(of: entity)
        var keys: Set<Int64> = [origin.key]
        _ = table(of: origin.entity).map.neighbours(of: origin.owner, limit: limit) { owner in
            guard Swift.type(of: owner) == type,
                !owner.has(ObjectFlags.fault | ObjectFlags.deleted)
            else { return false }
            let key = owner.storedKey(at: origin.slot)
            if key == 0 || differsAbove(key, in: destinations) { return false }
            if let known = destinations.object(key), !isPlainFault(known) { return false }
            return keys.insert(key).inserted
        }
        keys.remove(origin.key)
        return keys.sorted()
    }

    private func faults(near key: Int64, entity: Int, limit: Int) -> [Int64] {
        let table = table(of: entity)
        return table.map.neighbours(of: key, limit: limit) {
            $0.keyValue != key && isPlainFault($0) && !differsAbove($0.keyValue, in: table)
        }.map(\.keyValue).sorted()
    }

    /// Whether an object is a fault that only the store can load.
    private func isPlainFault(_ object: ManagedObject) -> Bool {
        object.isFault && object.has(ObjectFlags.stored)
            && !object.has(ObjectFlags.deleted | ObjectFlags.differs)
    }

    /// Whether an ancestor has changed an object since this context's last operation.
    private func differsAbove(_ key: Int64, in table: EntityTable) -> Bool {
        if table.deletedAbove.contains(key) { return true }
        return context.ancestors.contains { above in
            let other = above.tables[table.hierarchy]
            if other.deletedAbove.contains(key) { return true }
            return other.object(key)?.has(ObjectFlags.differs | ObjectFlags.deleted) == true
        }
    }
}
