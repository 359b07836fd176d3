import RecordStackModel

extension ManagedObjectContext {
    /// Takes new objects out of the context, with all new objects that they are related to, at whatever distance.
    ///
    /// ```swift
    /// let graph = try form.extract(order)
    /// try other.insert(graph)
    /// let orderThere = try Order.existing(graph.objectIDs[0], in: other)
    /// ```
    ///
    /// They are no objects of this context any more, as after ``rollback()``; saved objects that lead to them lead
    /// nowhere. In the context that they are inserted into they have the same IDs, values and relationships. A save
    /// under way is waited for.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an object of another context, or one that is saved or deleted;
    ///   nothing is taken out then.
    public func extract(_ objects: ManagedObject...) throws -> UnsavedGraph {
        try extract(objects)
    }

    /// Takes new objects out of the context as ``extract(_:)-(ManagedObject...)`` does.
    public func extract(_ objects: some Sequence<ManagedObject>) throws -> UnsavedGraph {
        try enter()
        let use = beginUse()
        defer { endUse(use) }
        try coordinator.hooks.refuse("extract(_:)")
        // What is taken out goes along with nobody's save meanwhile.
        let ticket = try waitForTurn()
        defer { ticket.finish() }
        return try tree.capturing(ticket) { try takeOut(objects) }
    }

    private func takeOut(_ objects: some Sequence<ManagedObject>) throws -> UnsavedGraph {
        mergeCommits(isForced: true)
        // What others have deleted is not taken along as a relationship.
        try settleBeforeCapture()
        let roots = Array(objects)
        for root in roots { try checkExtraction(of: root) }
        let finder = UnsavedGraphFinder(roots, in: self)
        let graph = capture(finder)
        for reference in graph.references {
            table(of: reference.entity).object(reference.key)?.setReference(
                0, at: reference.slot)
        }
        for object in finder.found { withdraw(object) }
        for table in tables { table.pruneListed() }
        publishChangesAfterTurn()
        return graph
    }

    private func checkExtraction(of object: ManagedObject) throws {
        if object.managedObjectContext !== self {
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
                    values: Self.row(of: object).values(row: 0)))
        }
        for linkage in model.linkages where !links[linkage.index].isEmpty {
            graph.links.append(changes(of: linkage, finder))
        }
        for table in tables {
            for object in table.listed
            where object.has(ObjectFlags.listed) && !object.has(ObjectFlags.inserted)
                && !object.has(ObjectFlags.deleted | ObjectFlags.fault)
            {
                graph.references += references(of: object, finder)
            }
        }
        return graph
    }

    /// The changed pairs that one of the objects is in.
    private func changes(of linkage: Linkage, _ finder: UnsavedGraphFinder) -> LinkChanges {
        let ends = [LinkEnd.first, .second].map {
            coordinator.model.modelEntities[linkage.end($0).entity].hierarchy
        }
        func isOne(_ pair: LinkPair) -> Bool {
            finder.contains(pair.first, hierarchy: ends[0])
                || finder.contains(pair.second, hierarchy: ends[1])
        }
        var changes = links[linkage.index].changes(linkage: linkage.index)
        changes.removed = []
        changes.added = changes.added.filter { isOne($0.pair) }
        changes.moved = changes.moved.filter { isOne($0.pair) }
        // Nobody has saved a pair of a new object.
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
