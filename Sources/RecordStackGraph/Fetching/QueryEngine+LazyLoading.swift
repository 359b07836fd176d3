package import RecordStackModel

extension QueryEngine {
    /// Reads the keys of a request's objects now, and the objects when they are accessed.
    package func findLazily<Entity: ManagedObject>(
        _ request: StoreRequest, batch size: Int, prefetching paths: [Prefetch] = [],
        as type: Entity.Type
    ) throws -> LazyResults<Entity> {
        if size < 1 {
            throw RecordStackError(
                .misuse, "A batch has at least one object; \(size) were asked for.")
        }
        let keys = try context.reading { _ in try self.keys(of: request) }
        return LazyResults(
            LazyBatches(
                context: context, entity: request.entity, keys: keys, size: size, prefetches: paths)
        )
    }

    /// Returns the objects of some keys, as this context shows them.
    ///
    /// One statement loads the faults and the objects that the context does not hold. Each
    /// prefetched relationship needs one more.
    ///
    /// Each key has an object: a detached one if the object is gone, and a fault if the store
    /// cannot be read. The second case is reported as an error.
    func loadBatch<Entity: ManagedObject>(
        of keys: ArraySlice<Int64>, entity: Int, prefetching paths: [Prefetch], as type: Entity.Type
    ) -> (objects: [Entity], isComplete: Bool) {
        let use = context.beginUse()
        defer { context.endUse(use) }
        // Like loading a fault, loading a batch merges no commits.
        if context.activeReader == nil { context.beginLoading() }
        let table = table(of: entity)
        var held: [ManagedObject] = []
        let missing = keys.filter { key in
            var known = table.object(key)
            if known == nil && context.parentContext != nil {
                known = context.visibleObject(key: key, entity: entity)?.object
            }
            guard let known else { return !table.deletedAbove.contains(key) }
            held.append(known)
            return isToLoad(known, entity: entity)
        }
        var isComplete = true
        do {
            held += try load(missing, entity: entity)
            let isThere = { (object: ManagedObject) in
                !object.has(ObjectFlags.deleted | ObjectFlags.detached)
            }
            if !paths.isEmpty { try prefetch(paths, for: held.filter(isThere)) }
        } catch {
            isComplete = false
            context.errors.report(error)
        }
        let kinds = coordinator.model.modelEntities[entity].kinds
        let objects = withExtendedLifetime(held) {
            keys.map { key in
                if let object = table.object(key), kinds.contains(entityIndex(of: object)) {
                    // The kinds of an entity are its class and the classes that inherit from it.
                    return unsafeDowncast(object, to: type)
                }
                return placeholder(for: key, entity: entity, isGone: isComplete, as: type)
            }
        }
        context.callDueHooks()
        return (objects, isComplete)
    }

    /// Whether an object is a fault that only the store can fill.
    private func isToLoad(_ object: ManagedObject, entity: Int) -> Bool {
        let flags = ObjectFlags.differs | ObjectFlags.deleted
        guard object.isFault, object.has(ObjectFlags.stored), !object.has(flags) else {
            return false
        }
        guard let above = context.parentContext?.visibleObject(key: object.keyValue, entity: entity)
        else {
            return true
        }
        return above.object?.has(ObjectFlags.differs) == false
    }

    private func load(_ keys: [Int64], entity: Int) throws -> [ManagedObject] {
        if keys.isEmpty { return [] }
        if context.usage.isClosed || coordinator.isClosed { throw RecordStackError.closedStack }
        let sink = FetchSink(
            context: context, entity: entity, skipsDiffering: true, expected: keys.count)
        try context.withReader { try $0.rows(.keys(keys, entity: entity), into: sink) }
        return sink.takeResults(as: ManagedObject.self)
    }

    /// Returns an object for a key without a row: always the same one until the next operation.
    func placeholder<Entity: ManagedObject>(
        for key: Int64, entity: Int, isGone: Bool, as type: Entity.Type
    ) -> Entity {
        let placeholderKey = PlaceholderKey(entity: entity, key: key)
        if let known = context.loader.placeholders[placeholderKey] as? Entity { return known }
        let kinds = coordinator.model.modelEntities[entity].kinds
        let table = table(of: entity)
        // A fault that can still be loaded needs its final class, which is known only if there is
        // just one. An invalid key could not be found again in the identity map.
        let isFault = !isGone && kinds.count == 1 && key > 0 && table.object(key) == nil
        let concrete = kinds.first { !coordinator.model.entities[$0].isAbstract } ?? entity
        let object = context.types[concrete].init(
            seed: ObjectSeed(
                anchor: Unmanaged.passUnretained(context.anchor), key: key, version: .noRow,
                status: isFault ? .fault : .detachedFault))
        if isFault {
            table.register(object)
        } else {
            context.loader.placeholders[placeholderKey] = object
        }
        // The kinds of an entity are its class and the classes that inherit from it.
        return unsafeDowncast(object, to: type)
    }
}

/// The entity and the key for which a placeholder object was created.
struct PlaceholderKey: Hashable {
    let entity: Int
    let key: Int64
}
