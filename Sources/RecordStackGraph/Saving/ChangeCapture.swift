import RecordStackChanges
import RecordStackModel

/// Checks a context's changes and captures them as values.
struct ChangeCapture: ContextView {
    let context: ManagedObjectContext

    /// Checks and captures the changes of this context and its ancestors.
    ///
    /// - Returns: nil if no context has changes. Layers that undo each other's changes leave
    ///   nothing to write, but they are saved.
    /// - Throws: ``RecordStackError/Code/validation`` with all failures or
    ///   ``RecordStackError/Code/conflict`` with all conflicts.
    func captureChain(_ policy: MergePolicy, as ticket: SaveTicket) throws -> SaveCapture? {
        var validation = ValidationResult()
        validation.policy = policy
        let chain = context.chain
        let ownValidation = try context.validator.validateBeforeCapture(chain)
        var stale: [[StaleRow]] = []
        let captured = chain.map { context in
            let changes = context.changeCapture.captureChanges(&validation)
            stale.append(validation.takeStale())
            return changes
        }
        for context in chain {
            for failure in try context.validator.countFailures() { validation.add(failure) }
        }
        validation.add(ownValidation)
        try validation.throwIfAny()
        let changed = captured.indices.filter { !captured[$0].isEmpty }
        if changed.isEmpty { return nil }
        let author = changed.count == 1 ? changed[0] : nil
        // A parent snapshot without changes has nothing to acknowledge. The context that it copies
        // merges the save like the save of any other context.
        let isIdle =
            captured[captured.count - 1].isEmpty
            && context.tree.parentSnapshot?.level?.isEmpty ?? true
        let remoteOrigin = isIdle ? nil : context.tree.parentSnapshot?.shared.number
        let isUnheard = isIdle && context.tree.parentSnapshot != nil
        let capture = SaveCapture(
            changes: author.map { captured[$0] } ?? ChangeSet(),
            origins: (isUnheard ? chain.dropLast() : chain[...]).map(\.origin),
            levels: changed.count < 2 && remoteOrigin == nil
                ? [:] : capturedLevels(captured, chain),
            savedEdits: savedEdits(of: chain),
            author: author.map { chain[$0].origin },
            linkSerials: linkSerials(of: chain), remoteOrigin: remoteOrigin,
            carried: remoteOrigin.map { _ in LayerSnapshot(changes: captured[captured.count - 1]) },
            ticket: ticket, policy: policy)
        let isResolved = stale.contains { !$0.isEmpty }
        if !isResolved && changed.count < 2 { return capture }
        var resolver = ConflictResolver(
            coordinator: coordinator, policy: policy, deleting: captured)
        let levels = try zip(captured, stale).map { changes, stale in
            stale.isEmpty ? changes : try resolver.resolve(changes, stale: stale)
        }
        if changed.count < 2 { return author.map { capture.replacing(levels[$0]) } ?? capture }
        var composer = ChangeComposer(
            changed.reversed().map { levels[$0] }, coordinator: coordinator)
        return capture.replacing(try composer.compose(policy, torn: validation.tornAbove))
    }

    private func linkSerials(of chain: [ManagedObjectContext]) -> [Int: Int] {
        if context.joinRowEdits.links.isEmpty { return [:] }
        return Dictionary(
            chain.map { ($0.origin, $0.parentSnapshot?.linkSerial ?? $0.joinRowEdits.linkSerial) },
            uniquingKeysWith: { a, _ in a })
    }

    private func savedEdits(of chain: [ManagedObjectContext]) -> Set<EditOrigin> {
        var edits: Set<EditOrigin> = []
        for table in chain.lazy.flatMap(\.tables) {
            for object in table.dirtyObjects {
                guard let record = object.recordValue, !record.origins.isEmpty else { continue }
                edits.formUnion(record.origins)
            }
        }
        return edits
    }

    private func capturedLevels(
        _ levels: [ChangeSet], _ chain: [ManagedObjectContext]
    ) -> [Int: LayerSnapshot] {
        Dictionary(
            uniqueKeysWithValues: zip(chain, levels).map {
                ($0.origin, $0.parentSnapshot?.level ?? LayerSnapshot(changes: $1))
            })
    }

    /// Captures the changes of this context alone, and records their failures and conflicts.
    func captureChanges(_ validation: inout ValidationResult) -> ChangeSet {
        captureChanges(of: tables.map(\.dirtyObjects), links: captureLinks(), &validation)
    }

    /// Captures the changes of some objects, and records their failures and conflicts.
    ///
    /// - Parameter dirtyObjects: the objects to capture, by hierarchy.
    func captureChanges(
        of dirtyObjects: [ContiguousArray<ManagedObject>], links: [LinkChanges],
        _ validation: inout ValidationResult
    ) -> ChangeSet {
        validation.context = context.name
        var entities: [EntityChanges] = []
        for (table, objects) in zip(tables, dirtyObjects) where !objects.isEmpty {
            let kinds = coordinator.model.hierarchies[table.hierarchy].entities
            for entity in kinds {
                let wanted =
                    kinds.count == 1 ? objects : objects.filter { entityIndex(of: $0) == entity }
                entities.append(capture(wanted, entity: entity, &validation))
            }
        }
        return ChangeSet(entities: entities, links: links)
    }

    func captureLinks() -> [LinkChanges] {
        context.joinRowEdits.links.indices.compactMap { index in
            context.joinRowEdits.links[index].isEmpty
                ? nil : context.joinRowEdits.linkChanges(of: index)
        }
    }

    private func capture(
        _ objects: ContiguousArray<ManagedObject>, entity: Int, _ validation: inout ValidationResult
    ) -> EntityChanges {
        let description = coordinator.model.modelEntities[entity].description
        // Most saves either insert everything or nothing.
        let isAllNew = objects.allSatisfy { Self.isToInsert($0) }
        let inserted = isAllNew ? objects : objects.filter { Self.isToInsert($0) }
        var changes = EntityChanges(
            entity: entity, width: description.slots.count, insertions: inserted.count,
            updates: isAllNew ? 0 : objects.count)
        changes.insertedKeys.reserveCapacity(inserted.count)
        changes.inserted.append(rows: inserted.count) { writer in
            for object in inserted {
                object.write(to: &writer)
                changes.insertedKeys.append(object.keyValue)
                if object.rowVersion != .noRow {
                    changes.reinsertedVersions[object.keyValue] = object.rowVersion
                }
            }
        }
        validation.check(insertions: inserted, changes.inserted, description)
        if isAllNew { return changes }
        var updated: ContiguousArray<ManagedObject> = []
        var isPruned = true
        for object in objects {
            let flags = object.bits & (ObjectFlags.dirty | ObjectFlags.inserted)
            if flags == ObjectFlags.dirty,
                isUpdated(object, noting: &changes, description, &validation)
            {
                updated.append(object)
            } else if !object.has(ObjectFlags.dirty) {
                isPruned = false
            }
        }
        write(updated, into: &changes)
        for (row, object) in updated.enumerated() {
            let slots = changes.updates[row].slots
            validation.check(update: object, changes.updated, row: row, slots, description)
        }
        if !isPruned { table(of: entity).pruneDirtyObjects() }
        return changes
    }

    @inline(__always)
    private static func isToInsert(_ object: ManagedObject) -> Bool {
        let flags = ObjectFlags.dirty | ObjectFlags.inserted
        return object.bits & (flags | ObjectFlags.deleted) == flags
    }

    /// Records what the save does to an object's row, except for the values.
    ///
    /// - Returns: whether the save updates the row.
    private func isUpdated(
        _ object: ManagedObject, noting changes: inout EntityChanges,
        _ description: EntityDescription, _ validation: inout ValidationResult
    ) -> Bool {
        if object.isToDelete {
            changes.deletions.append(
                EntityChanges.Deletion(
                    key: object.keyValue, version: object.rowVersion, seen: seenValues(of: object)))
            return false
        }
        let slots = validation.slots(of: object)
        if slots.isEmpty {
            // The object's values are set back, so it does not have to stay in the dirty list,
            // which keeps it alive. If it has a conflict, the next operation has to take over the
            // other side's value first.
            let isClean = object.recordValue?.conflicts.isEmpty ?? true
            if isClean && !context.mayBeSaved && !object.has(ObjectFlags.deleted) {
                context.merger.markClean(object)
            }
            return false
        }
        if validation.check(conflictsOf: object, entity: changes.entity, description) {
            return false
        }
        changes.updates.append(
            EntityChanges.Update(key: object.keyValue, version: object.rowVersion, slots: slots))
        return true
    }

    /// Returns the values that a deleted object showed, to compare with its ancestors' changes.
    ///
    /// Nil if the object is not loaded, or if the parent's table has no unsaved changes.
    private func seenValues(of object: ManagedObject) -> [StoredValue]? {
        guard !object.isFault, let parent = context.parentContext,
            parent.table(of: entityIndex(of: object)).hasDiffering
        else { return nil }
        return (0..<type(of: object).slotCount).map { object.committedValue(at: $0) }
    }

    /// Writes the current and the former values of the updated objects.
    private func write(
        _ objects: ContiguousArray<ManagedObject>, into changes: inout EntityChanges
    ) {
        changes.updated.append(rows: objects.count) { writer in
            for object in objects { object.write(to: &writer) }
        }
        let (updates, width) = (changes.updates, changes.bases.width)
        changes.bases.append(rows: objects.count) { writer in
            for (row, object) in objects.enumerated() {
                let slots = updates[row].slots
                for slot in 0..<width {
                    if slots.contains(slot) {
                        writer.append(object.committedValue(at: slot))
                    } else {
                        writer.appendNull()
                    }
                }
            }
        }
    }
}
