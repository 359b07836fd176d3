import RecordStackModel

/// Moves graphs of new objects out of a context, and into a context.
struct GraphMover: ContextView {
    let context: ManagedObjectContext

    func takeOut(_ objects: some Sequence<ManagedObject>) throws -> UnsavedGraph {
        context.merger.mergeCommits(isForced: true)
        // First, so that no relationship to an object that another context has deleted is moved.
        try context.repairBeforeCapture()
        let roots = Array(objects)
        for root in roots { try checkExtraction(of: root) }
        let finder = UnsavedGraphFinder(roots, in: context)
        let graph = capture(finder)
        for reference in graph.references {
            table(of: reference.entity).object(reference.key)?.setReference(
                0, at: reference.slot)
        }
        for object in finder.found { context.withdraw(object) }
        for table in tables { table.pruneDirtyObjects() }
        context.publisher.publishChangesAfterTurn()
        return graph
    }

    private func checkExtraction(of object: ManagedObject) throws {
        if object.managedObjectContext !== context {
            throw object.absent("It cannot be taken out of this one.")
        }
        if UnsavedGraphFinder.isNew(object) { return }
        throw RecordStackError(
            .misuse,
            "\(object.objectID) is not new: it is saved, deleted, or a parent's. Only new objects of the context "
                + "are taken out; others are found elsewhere by object.in(context).",
            objectID: object.objectID)
    }

    private func capture(_ finder: UnsavedGraphFinder) -> UnsavedGraph {
        let model = coordinator.model
        var graph = UnsavedGraph(
            objectIDs: finder.found.map(\.objectID), coordinator: coordinator)
        for object in finder.found {
            var written = SlotSet()
            for slot in 0..<type(of: object).slotCount where object.isWritten(slot) {
                written.insert(slot)
            }
            graph.objects.append(
                UnsavedGraph.Object(
                    entity: entityIndex(of: object), key: object.keyValue, written: written,
                    values: object.shownRow().values(row: 0)))
        }
        for joinTable in model.joinTables
        where !context.joinRowEdits.links[joinTable.index].isEmpty {
            graph.links.append(changes(of: joinTable, finder))
        }
        for table in tables {
            for object in table.dirtyObjects
            where object.has(ObjectFlags.dirty) && !object.has(ObjectFlags.inserted)
                && !object.has(ObjectFlags.deleted | ObjectFlags.fault)
            {
                graph.references += references(of: object, finder)
            }
        }
        return graph
    }

    /// Returns the changed join rows of a join table that refer to one of the objects.
    private func changes(of joinTable: JoinTable, _ finder: UnsavedGraphFinder) -> LinkChanges {
        let ends = [LinkEnd.first, .second].map {
            coordinator.model.modelEntities[joinTable.end($0).entity].hierarchy
        }
        func isOne(_ joinRow: JoinRow) -> Bool {
            finder.contains(joinRow.first, hierarchy: ends[0])
                || finder.contains(joinRow.second, hierarchy: ends[1])
        }
        let index = joinTable.index
        var changes = context.joinRowEdits.links[index].changes(joinTable: index)
        changes.removed = []
        changes.added = changes.added.filter { isOne($0.joinRow) }
        changes.moved = changes.moved.filter { isOne($0.joinRow) }
        // No save has written a join row of a new object.
        changes.uncertain = []
        return changes
    }

    private func references(
        of object: ManagedObject, _ finder: UnsavedGraphFinder
    ) -> [UnsavedGraph.Reference] {
        let model = coordinator.model
        let entity = entityIndex(of: object)
        return model.modelEntities[entity].relationships.compactMap { relationship in
            guard let slot = relationship.slot else { return nil }
            let target = object.storedKey(at: slot)
            let hierarchy = model.modelEntities[relationship.destination].hierarchy
            guard finder.contains(target, hierarchy: hierarchy) else { return nil }
            return UnsavedGraph.Reference(
                entity: entity, key: object.keyValue, slot: slot, target: target)
        }
    }
}

// MARK: Inserting

extension GraphMover {
    func checkArrival(of graph: UnsavedGraph) throws {
        for (object, id) in zip(graph.objects, graph.objectIDs)
        where context.visibleObject(key: object.key, entity: object.entity)?.object != nil {
            throw RecordStackError(
                .misuse,
                "\(id) is in the context “\(context.name)” already. A graph is inserted once.",
                objectID: id
            )
        }
    }

    /// Returns the saved objects to which a graph's objects are related, by hierarchy and key.
    ///
    /// - Throws: ``RecordStackError/Code/notFound`` if the context does not see one of them.
    func relatives(of graph: UnsavedGraph) throws -> [[Int64: ManagedObject]] {
        let wanted = UnsavedGraphRelatives(of: graph)
        return try wanted.keys.enumerated().map { hierarchy, keys in
            if keys.isEmpty { return [:] }
            let root = coordinator.model.hierarchies[hierarchy].root
            let found = try context.queries.fetch(
                .keys(keys.keys.sorted(), entity: root), as: ManagedObject.self)
            let objects = Dictionary(uniqueKeysWithValues: found.map { ($0.keyValue, $0) })
            for (key, entity) in keys where objects[key] == nil {
                let id = coordinator.objectID(entity: entity, key: key)
                throw RecordStackError(
                    .notFound,
                    "The objects are related to \(id), which the context “\(context.name)” does not see. Save it first, or "
                        + "take it along: it was changed, and not new.", objectID: id)
            }
            return objects
        }
    }

    /// Puts a graph back into the context that it was just taken out of.
    ///
    /// It reads nothing and refuses nothing. Related objects may be gone by now, as with any
    /// unsaved change.
    func putBack(_ graph: UnsavedGraph) {
        let use = context.beginUse()
        defer { context.endUse(use) }
        var relatives = Array(
            repeating: [Int64: ManagedObject](), count: coordinator.model.hierarchies.count)
        for reference in graph.references {
            let table = table(of: reference.entity)
            relatives[table.hierarchy][reference.key] = table.object(reference.key)
        }
        context.hooks.holding { put(graph, beside: relatives) }
        context.callDueHooks()
    }

    func put(
        _ graph: UnsavedGraph, beside relatives: [[Int64: ManagedObject]]
    ) {
        let model = coordinator.model
        for entry in graph.objects {
            let object = context.insertObject(
                coordinator.types.types[entry.entity], entity: entry.entity, key: entry.key)
            context.didLoad(object)
            entry.written.forEach(object.markWritten)
            let batch = RowBatch(width: entry.values.count)
            batch.append(values: entry.values)
            object.loadValues(batch, row: 0, slots: SlotSet(all: batch.width))
        }
        // Setting a reference appends the member. The join rows, which follow, set its position.
        for reference in graph.references {
            let hierarchy = model.modelEntities[reference.entity].hierarchy
            relatives[hierarchy][reference.key]?.setReference(reference.target, at: reference.slot)
        }
        for changes in graph.links {
            context.joinRowEdits.accept(changes, from: nil)
            let joinTable = model.joinTables[changes.joinTable]
            for joinRow in (changes.added + changes.moved).map(\.joinRow) {
                for end in [LinkEnd.first, .second] {
                    table(of: joinTable.end(end).entity).object(joinRow.key(end)).map(
                        context.joinRowEdits.keepRelated)
                }
            }
        }
        context.publisher.publishChangesAfterTurn()
    }
}

/// The keys of the saved objects to which a graph's objects are related.
private struct UnsavedGraphRelatives {
    /// The keys by hierarchy, each with the entity that the graph declares for its object.
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
            let joinTable = model.joinTables[changes.joinTable]
            for joinRow in (changes.added + changes.moved).map(\.joinRow) {
                add(joinRow.first, joinTable.end(.first).entity)
                add(joinRow.second, joinTable.end(.second).entity)
            }
        }
    }

    private mutating func add(_ key: Int64, _ entity: Int) {
        let hierarchy = model.modelEntities[entity].hierarchy
        if !own[hierarchy].contains(key) { keys[hierarchy][key] = entity }
    }
}
