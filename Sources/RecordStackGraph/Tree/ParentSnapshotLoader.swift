import RecordStackChanges
import RecordStackModel

/// Copies the changes that a context in another isolation has published.
///
/// A save block may be based on a context of another isolation. In the block's own isolation, a
/// parent snapshot represents that context. It has the same unsaved changes, copied as values when
/// the block begins, and again when the block is saved.
struct ParentSnapshotLoader: ContextView {
    let context: ManagedObjectContext

    /// Replaces the changes of this context with those that the context it copies has published.
    ///
    /// Changes that were saved meanwhile are left out. If another context has changed the same
    /// values meanwhile, this context takes none of the changes. The copied context's own save
    /// finds that conflict, and changes that were made together are saved together.
    func takePublished() throws {
        guard let parentSnapshot = context.parentSnapshot,
            let revision = parentSnapshot.nextRevision()
        else { return }
        context.rollback()
        if revision.isEmpty { return }
        let fits = try context.reading(transaction: true) { try take(revision, $0) }
        for table in tables { table.pruneDirtyObjects() }
        if fits {
            parentSnapshot.take(context.publisher.uncheckedChanges)
        } else {
            context.rollback()
            parentSnapshot.takeNothing()
        }
    }

    /// Applies a revision to this context.
    ///
    /// - Returns: false if another context has changed the same values.
    private func take(
        _ revision: PublishedChanges.Revision, _ reader: any StoreReader
    ) throws -> Bool {
        let deleted = DeletedKeys(of: [revision.changes], in: coordinator.model)
        for changes in revision.changes.entities {
            let unset = revision.unset[changes.entity] ?? [:]
            guard try takeInsertions(changes, unset, reader),
                try takeUpdates(changes, revision.origins, deleted, reader),
                try takeDeletions(changes, reader)
            else { return false }
        }
        for (joinTable, edits) in revision.links.enumerated() where !edits.isEmpty {
            context.joinRowEdits.accept(
                try unsaved(edits.changes(joinTable: joinTable), reader), from: nil)
        }
        return true
    }

    private func takeInsertions(
        _ changes: EntityChanges, _ unset: [Int64: SlotSet], _ reader: any StoreReader
    ) throws -> Bool {
        if changes.insertedKeys.isEmpty { return true }
        let sink = RefreshSink(context: context)
        let root = coordinator.rootEntity(of: changes.entity)
        try reader.keys(.keys(Array(changes.insertedKeys), entity: root), into: sink)
        let all = SlotSet(all: changes.inserted.width)
        let type = coordinator.types.types[changes.entity]
        // Another context may have re-inserted one of these rows already.
        if changes.reinsertedVersions.keys.contains(where: sink.found.contains) { return false }
        for (row, key) in changes.insertedKeys.enumerated() where !sink.found.contains(key) {
            let object = context.insertObject(type, entity: changes.entity, key: key)
            context.didLoad(object)
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
            // Another context has deleted the object already.
            guard let object = objects[deletion.key] else { continue }
            if object.rowVersion != deletion.version { return false }
            context.deleter.markDeleted(object)
        }
        return true
    }

    /// Returns the join row changes that no other context has saved already.
    ///
    /// A block edits a join row that is saved already as the store has it.
    private func unsaved(
        _ changes: LinkChanges, _ reader: any StoreReader
    ) throws -> LinkChanges {
        guard coordinator.model.joinTables[changes.joinTable].hasOwnTable else { return changes }
        var unsaved = changes
        unsaved.removed = try changes.removed.filter {
            try reader.hasLink($0, in: changes.joinTable)
        }
        unsaved.added = []
        for row in changes.added {
            if try !reader.hasLink(row.joinRow, in: changes.joinTable) {
                unsaved.added.append(row)
            } else if row.position != nil || row.inversePosition != nil {
                unsaved.moved.append(row)
            }
        }
        return unsaved
    }

    /// Loads the objects of some keys as they are in the store, by key.
    private func loaded(
        _ keys: [Int64], of entity: Int, _ reader: any StoreReader
    ) throws -> [Int64: ManagedObject] {
        if keys.isEmpty { return [:] }
        let sink = FetchSink(
            context: context, entity: entity, skipsDiffering: false, expected: keys.count)
        try reader.rows(.keys(keys, entity: coordinator.rootEntity(of: entity)), into: sink)
        let objects = sink.takeResults(as: ManagedObject.self)
        return Dictionary(objects.map { ($0.keyValue, $0) }, uniquingKeysWith: { a, _ in a })
    }
}
