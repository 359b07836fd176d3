import RecordStackChanges
import RecordStackModel

// A save block may rest on a context of another isolation. There, in the block's own, a context stands for it:
// with the same unsaved changes, taken as values when the block begins and once more when it is saved.
extension ManagedObjectContext {
    /// Tells those that rest on this context what it has changed; nothing where nobody does.
    @inline(__always)
    func publishChanges() {
        if let published { publish(in: published) }
    }

    /// The same when the turn of the context's owner ends: in the middle of it there may be half of what is changed
    /// together, which nobody else is to see or to save.
    @inline(__always)
    func publishChangesAfterTurn() {
        if let published, hasPublishedOrChanged(published) { published.publishAfterTurn() }
    }

    private func hasPublishedOrChanged(_ shared: SharedChanges) -> Bool {
        tables.contains { !$0.listed.isEmpty } || links.contains { !$0.isEmpty } || !shared.isEmpty
    }

    private func publish(in shared: SharedChanges) {
        shared.beginPublishing()
        if !hasPublishedOrChanged(shared) { return }
        shared.publish(
            SharedChanges.Edition(
                changes: ChangeSet(
                    entities: uncheckedChanges(countingSetBack: isSavedUnheard).entities),
                links: links, unset: unsetSlots, origins: editOrigins, linkSerial: linkSerial,
                givenUp: givenUpKeys))
    }

    /// The changes of this context, whatever is wrong with them: that is found when they are saved, and conflicts by
    /// comparing them with the store.
    var uncheckedChanges: ChangeSet { uncheckedChanges() }

    /// - Parameter countsSetBack: whether what was set back while a save writes it is among them: that leaves of an edition
    ///   what is a change of what it has written.
    private func uncheckedChanges(countingSetBack countsSetBack: Bool = false) -> ChangeSet {
        var unused = CaptureFindings()
        unused.isChecking = false
        unused.countsSetBack = countsSetBack
        return captureChanges(&unused)
    }

    /// The objects whose changes were given up while a save was writing them, by entity.
    private var givenUpKeys: [Int: GivenUpKeys] {
        var keys: [Int: GivenUpKeys] = [:]
        for table in tables where table.givenUp != nil {
            for entity in coordinator.model.hierarchies[table.hierarchy].entities {
                keys[entity] = table.givenUp
            }
        }
        return keys
    }

    /// The identities of the changes of objects that are in the store.
    private var editOrigins: [RowKey: [EditOrigin]] {
        var origins: [RowKey: [EditOrigin]] = [:]
        for table in tables {
            for object in table.listed
            where object.has(ObjectFlags.listed) && !object.has(ObjectFlags.inserted)
                && !object.isToDelete
            {
                let record = object.record
                _ = record.origin
                origins[RowKey(entity: entityIndex(of: object), key: object.keyValue)] =
                    record.origins
            }
        }
        return origins
    }

    /// What new objects must have and were not given, by entity and key.
    private var unsetSlots: [Int: [Int64: SlotSet]] {
        var unset: [Int: [Int64: SlotSet]] = [:]
        for table in tables {
            for object in table.listed where object.has(ObjectFlags.inserted) {
                let entity = entityIndex(of: object)
                var slots = SlotSet()
                coordinator.model.modelEntities[entity].description.slotsToSet.forEach { slot in
                    if !object.isWritten(slot) { slots.insert(slot) }
                }
                if !slots.isEmpty { unset[entity, default: [:]][object.keyValue] = slots }
            }
        }
        return unset
    }

    /// The number by which this context learns of what was saved, or that of the one that it stands for.
    var origin: Int { standIn?.shared.number ?? cursor.number }

    /// The published changes of this context, which contexts of other isolations read; nil if there are none of these.
    var published: SharedChanges? { parentContext == nil ? tree.published : nil }

    /// The copy that this context is of one in another isolation; nil for one that has changes of its own.
    var standIn: StandIn? { parentContext == nil ? tree.standIn : nil }

    /// Makes the changes of this context those that were published by the one that it stands for.
    ///
    /// Changes that were saved meanwhile are left out. Where others have changed the same meanwhile, this context takes
    /// none of the changes: the other context's own save finds the conflict, and changes made together are saved together.
    func takePublished() throws {
        guard let standIn, let edition = standIn.nextEdition() else { return }
        rollback()
        if edition.isEmpty { return }
        let fits = try reading(transaction: true) { try take(edition, $0) }
        for table in tables { table.pruneListed() }
        if fits {
            standIn.take(uncheckedChanges)
        } else {
            rollback()
            standIn.takeNothing()
        }
    }

    /// - Returns: whether nobody else has changed the same.
    private func take(
        _ edition: SharedChanges.Edition, _ reader: any StoreReader
    ) throws -> Bool {
        let deleted = DeletedKeys(of: [edition.changes], in: coordinator.model)
        for changes in edition.changes.entities {
            let unset = edition.unset[changes.entity] ?? [:]
            guard try takeInsertions(changes, unset, reader),
                try takeUpdates(changes, edition.origins, deleted, reader),
                try takeDeletions(changes, reader)
            else { return false }
        }
        for (linkage, edits) in edition.links.enumerated() where !edits.isEmpty {
            accept(try unsaved(edits.changes(linkage: linkage), reader), from: nil)
        }
        return true
    }

    /// Whether the context that this one stands for has saved another value of a slot than this one took over, and has
    /// that no more: what rests on this one has not seen what was saved.
    func isOvertaken(
        _ slot: Int, of object: ManagedObject, entity: Int, _ taken: StoredValue
    ) -> Bool {
        standIn?.isOvertaken(entity: entity, key: object.keyValue, slot: slot, taken) ?? false
    }

    private func takeInsertions(
        _ changes: EntityChanges, _ unset: [Int64: SlotSet], _ reader: any StoreReader
    ) throws -> Bool {
        if changes.insertedKeys.isEmpty { return true }
        let sink = RefreshSink(context: self)
        let root = coordinator.rootEntity(of: changes.entity)
        try reader.keys(.keys(Array(changes.insertedKeys), entity: root), into: sink)
        let all = SlotSet(all: changes.inserted.width)
        let type = coordinator.types.types[changes.entity]
        // Other contexts have inserted the same rows again before.
        if changes.reinsertedVersions.keys.contains(where: sink.found.contains) { return false }
        for (row, key) in changes.insertedKeys.enumerated() where !sink.found.contains(key) {
            let object = insertObject(type, entity: changes.entity, key: key)
            didLoad(object)
            all.subtracting(unset[key] ?? SlotSet()).forEach(object.markWritten)
            object.loadValues(changes.inserted, row: row, slots: all)
            if let version = changes.reinsertedVersions[key] { object.rowVersion = version }
        }
        return true
    }

    private func takeUpdates(
        _ changes: EntityChanges, _ origins: [RowKey: [EditOrigin]], _ deleted: DeletedKeys,
        _ reader: any StoreReader
    ) throws -> Bool {
        let objects = try loaded(changes.updates.map(\.key), of: changes.entity, reader)
        for (row, update) in changes.updates.enumerated() {
            guard let object = objects[update.key] else { return false }
            var (taken, fits) = (SlotSet(), true)
            update.slots.forEach { slot in
                let now = object.storedValue(at: slot)
                let base = changes.bases.storedValue(row: row, slot: slot)
                let cell = changes.updated.cell(row: row, slot: slot)
                var merge = SlotMerge(isSame: cell.stores(now), isBase: base.isStoredSame(as: now))
                merge.isCleared =
                    now.isNull && cell.tag == .null
                    && deleted.contains(
                        base, at: slot, of: changes.entity, in: coordinator.model)
                switch merge.outcome(over: .others) {
                case .conflicts: fits = false
                case .ends where !merge.isBase: break
                case .ends, .fits, .stays, .rebases:
                    object.willWrite(slot)
                    if !object.isWritten(slot) { object.keepOldValue(now, of: slot) }
                    taken.insert(slot)
                }
            }
            if !fits { return false }
            object.loadValues(changes.updated, row: row, slots: taken)
            let row = RowKey(entity: changes.entity, key: update.key)
            object.record.origins = origins[row] ?? []
        }
        return true
    }

    private func takeDeletions(
        _ changes: EntityChanges, _ reader: any StoreReader
    ) throws -> Bool {
        let objects = try loaded(changes.deletions.map(\.key), of: changes.entity, reader)
        for deletion in changes.deletions {
            // Another context has deleted the object before.
            guard let object = objects[deletion.key] else { continue }
            if object.rowVersion != deletion.version { return false }
            markDeleted(object)
        }
        return true
    }

    /// Changes of pairs without what others have done as well: what a block does to such a pair is to be done to the
    /// stored one.
    private func unsaved(
        _ changes: LinkChanges, _ reader: any StoreReader
    ) throws -> LinkChanges {
        guard coordinator.model.linkages[changes.linkage].isTable else { return changes }
        var unsaved = changes
        unsaved.removed = try changes.removed.filter { try reader.hasLink($0, in: changes.linkage) }
        unsaved.added = []
        for row in changes.added {
            if try !reader.hasLink(row.pair, in: changes.linkage) {
                unsaved.added.append(row)
            } else if row.position != nil || row.inversePosition != nil {
                unsaved.moved.append(row)
            }
        }
        return unsaved
    }

    /// The objects of some keys, by key, as they are in the store.
    private func loaded(
        _ keys: [Int64], of entity: Int, _ reader: any StoreReader
    ) throws -> [Int64: ManagedObject] {
        if keys.isEmpty { return [:] }
        let sink = FetchSink(
            context: self, entity: entity, skipsDiffering: false, expected: keys.count)
        try reader.rows(.keys(keys, entity: coordinator.rootEntity(of: entity)), into: sink)
        let objects = sink.takeResults(as: ManagedObject.self)
        return Dictionary(objects.map { ($0.keyValue, $0) }, uniquingKeysWith: { a, _ in a })
    }
}
