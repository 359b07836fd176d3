import RecordStackModel

/// The to-one relationship by which a fault was made last.
struct FaultOrigin {
    let owner: Int64
    let entity: Int
    let slot: Int
    /// The key of the fault.
    let key: Int64
}

// Where objects are read one by one, others that will likely be read are loaded along, more of them each time.
extension RelationshipLoader {
    /// Loads the object of a key, which the store alone knows, together with its siblings: the objects to which
    /// the same relationship of neighbouring owners refers, or faults near it. Does nothing where it has none.
    ///
    /// What is loaded along stays until an operation looks for objects that nobody holds. Where it cannot be
    /// loaded, a sibling's damaged row for one, nothing is told: the object is then loaded alone.
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

    /// The object that a to-one relationship refers to, or a fault for it.
    func destination(of origin: FaultOrigin, entity: Int) throws -> ManagedObject? {
        // A fault has a class from the start: where there are several, the object is loaded at once.
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

    /// None the first time, eight times as many each time after that.
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
        // Hardly any are left: the next one comes alone again.
        if keys.count * 8 < wanted { faultLoads[entity] = 0 }
        return keys
    }

    /// The keys to which the relationship of the owner's neighbours refers and that are not loaded.
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

    /// Whether an object is a fault that the store alone can fill.
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
