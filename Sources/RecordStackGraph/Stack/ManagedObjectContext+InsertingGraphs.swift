public import RecordStackModel

extension ManagedObjectContext {
    /// Makes objects that were taken out of another context new objects of this one, with their IDs, values and
    /// relationships.
    ///
    /// ```swift
    /// let graph = try form.extract(order)                     // the first of its objectIDs is the order's
    /// try await stack.saveWithBlock { context in
    ///     try context.insert(graph)
    /// }
    /// ```
    ///
    /// Saved objects that led to them lead to them here. `awakeFromInsert()` is not called again. One statement for each
    /// kind of saved objects that they are related to.
    ///
    /// - Throws: ``RecordStackError/Code/notFound`` where something that they are related to is not seen in this context;
    ///   ``RecordStackError/Code/misuse`` where they come from another stack's context, or are in this one already;
    ///   and what the store says. Nothing is inserted then, and the graph can be inserted elsewhere.
    public func insert(_ graph: UnsavedGraph) throws {
        try coordinator.hooks.refuse("insert(_:)")
        if graph.coordinator !== coordinator {
            throw RecordStackError(
                .misuse,
                "The objects come from a context of another stack. Hand over snapshots instead: "
                    + "Person.upsert(snapshots, in: context).")
        }
        let use = beginUse()
        defer { endUse(use) }
        let relatives = try reading { _ in
            try checkArrival(of: graph)
            return try self.relatives(of: graph)
        }
        defer { callDueHooks() }
        hooks.holding { put(graph, beside: relatives) }
    }

    private func checkArrival(of graph: UnsavedGraph) throws {
        for (object, id) in zip(graph.objects, graph.objectIDs)
        where visibleObject(key: object.key, entity: object.entity)?.object != nil {
            throw RecordStackError(
                .misuse,
                "\(id) is in the context “\(name)” already. A graph is inserted once.", objectID: id
            )
        }
    }

    /// The saved objects that those of a graph are related to, by hierarchy.
    private func relatives(of graph: UnsavedGraph) throws -> [[Int64: ManagedObject]] {
        let wanted = UnsavedGraphRelatives(of: graph)
        return try wanted.keys.enumerated().map { hierarchy, keys in
            if keys.isEmpty { return [:] }
            let root = coordinator.model.hierarchies[hierarchy].root
            let found = try fetch(.keys(keys.keys.sorted(), entity: root), as: ManagedObject.self)
            let objects = Dictionary(uniqueKeysWithValues: found.map { ($0.keyValue, $0) })
            for (key, entity) in keys where objects[key] == nil {
                let id = coordinator.objectID(entity: entity, key: key)
                throw RecordStackError(
                    .notFound,
                    "The objects are related to \(id), which the context “\(name)” does not see. Save it first, or "
                        + "take it along: it was changed, and not new.", objectID: id)
            }
            return objects
        }
    }

    /// Gives the context back what was just taken out of it. Nothing is read, and nothing refused: what they are related
    /// to may be gone by now, as it may for anything that waits to be saved.
    fileprivate func putBack(_ graph: UnsavedGraph) {
        let use = beginUse()
        defer { endUse(use) }
        var relatives = Array(
            repeating: [Int64: ManagedObject](), count: coordinator.model.hierarchies.count)
        for reference in graph.references {
            let table = table(of: reference.entity)
            relatives[table.hierarchy][reference.key] = table.object(reference.key)
        }
        hooks.holding { put(graph, beside: relatives) }
        callDueHooks()
    }

    private func put(
        _ graph: UnsavedGraph, beside relatives: [[Int64: ManagedObject]]
    ) {
        let model = coordinator.model
        for entry in graph.objects {
            let object = insertObject(
                coordinator.types.types[entry.entity], entity: entry.entity, key: entry.key)
            didLoad(object)
            entry.written.forEach(object.markWritten)
            let batch = RowBatch(width: entry.values.count)
            batch.append(values: entry.values)
            object.loadValues(batch, row: 0, slots: SlotSet(all: batch.width))
        }
        // A member that is led elsewhere comes last there; its place among the others is next.
        for reference in graph.references {
            let hierarchy = model.modelEntities[reference.entity].hierarchy
            relatives[hierarchy][reference.key]?.setReference(reference.target, at: reference.slot)
        }
        for changes in graph.links {
            accept(changes, from: nil)
            let linkage = model.linkages[changes.linkage]
            for pair in (changes.added + changes.moved).map(\.pair) {
                for end in [LinkEnd.first, .second] {
                    table(of: linkage.end(end).entity).object(pair.key(end)).map(keepRelated)
                }
            }
        }
        publishChangesAfterTurn()
    }
}

extension ManagedEntity where Self: ManagedObject {
    /// Moves a new object, with all new objects that it is related to, to another context of the same isolation.
    ///
    /// ```swift
    /// let orderThere = try order.move(to: other)
    /// ```
    ///
    /// This object is detached then. See ``ManagedObjectContext/insert(_:)``.
    /// - Throws: what taking it out and inserting it throw; it is where it was then.
    public func move(to context: ManagedObjectContext) throws -> Self {
        guard let origin = managedObjectContext else {
            throw absent("It cannot be moved.")
        }
        if origin === context { return self }
        // Those that led to them are kept, which may be all that holds some of them.
        let changed = origin.tables.flatMap(\.listed)
        let graph = try origin.extract(self)
        do {
            try context.insert(graph)
        } catch {
            withExtendedLifetime(changed) { origin.putBack(graph) }
            throw error
        }
        return try context.existingObject(objectID, as: Self.self)
    }
}

/// The saved objects that those of a graph are related to.
private struct UnsavedGraphRelatives {
    /// By hierarchy, the keys, and of which entity the property that leads there says that they are.
    var keys: [[Int64: Int]]
    private let own: [Set<Int64>]
    private let model: ManagedObjectModel

    init(of graph: UnsavedGraph) {
        model = graph.model
        keys = Array(repeating: [:], count: graph.model.hierarchies.count)
        var own: [Set<Int64>] = Array(repeating: [], count: keys.count)
        for object in graph.objects {
            own[graph.model.modelEntities[object.entity].hierarchy].insert(object.key)
        }
        self.own = own
        for object in graph.objects {
            for relationship in model.modelEntities[object.entity].relationships {
                guard let slot = relationship.slot, case .integer(let key) = object.values[slot]
                else { continue }
                add(key, relationship.destination)
            }
        }
        for reference in graph.references { add(reference.key, reference.entity) }
        for changes in graph.links {
            let linkage = model.linkages[changes.linkage]
            for pair in (changes.added + changes.moved).map(\.pair) {
                add(pair.first, linkage.end(.first).entity)
                add(pair.second, linkage.end(.second).entity)
            }
        }
    }

    private mutating func add(_ key: Int64, _ entity: Int) {
        let hierarchy = model.modelEntities[entity].hierarchy
        if !own[hierarchy].contains(key) { keys[hierarchy][key] = entity }
    }
}
