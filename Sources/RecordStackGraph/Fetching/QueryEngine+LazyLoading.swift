package import RecordStackModel

extension QueryEngine {
    /// A request's objects, of which the keys are read now, and the rest when it is touched.
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

    /// The objects of some keys, as this context sees them. Those that it does not hold, and faults, are loaded
    /// with one statement, and what relationships refer to with one more for each.
    ///
    /// Each key has its object: where there is none any more, a detached one; and where the store cannot be
    /// read, which is reported, a fault.
    func loadBatch<Entity: ManagedObject>(
        of keys: ArraySlice<Int64>, entity: Int, prefetching paths: [Prefetch], as type: Entity.Type
    ) -> (objects: [Entity], isComplete: Bool) {
        let use = context.beginUse()
        defer { context.endUse(use) }
        // As a fault does, it shows what is there and takes in nothing that others have saved.
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
                    // The kinds of an entity are its class and those that inherit from it.
                    return unsafeDowncast(object, to: type)
                }
                return placeholder(for: key, entity: entity, isGone: isComplete, as: type)
            }
        }
        context.callDueHooks()
        return (objects, isComplete)
    }

    /// Whether an object is a fault that the store alone can fill.
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

    /// An object for a key of which no row was read: always the same one until the next operation.
    func placeholder<Entity: ManagedObject>(
        for key: Int64, entity: Int, isGone: Bool, as type: Entity.Type
    ) -> Entity {
        let placeholderKey = PlaceholderKey(entity: entity, key: key)
        if let known = context.loader.placeholders[placeholderKey] as? Entity { return known }
        let kinds = coordinator.model.modelEntities[entity].kinds
        let table = table(of: entity)
        // A fault that can still be loaded has its class for good, which is known where there is one alone.
        // What is no key could not be found again in the identity map.
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
        // The kinds of an entity are its class and those that inherit from it.
        return unsafeDowncast(object, to: type)
    }
}

/// What a placeholder stands for.
struct PlaceholderKey: Hashable {
    let entity: Int
    let key: Int64
}
